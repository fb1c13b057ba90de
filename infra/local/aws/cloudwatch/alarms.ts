/** Alarms as far as their states go: whoever sets one, sees its event on the default bus. They watch no metrics. */
import { randomUUID } from "node:crypto";
import { AwsError } from "#infra/local/aws/error";
import type { Buses } from "#infra/local/aws/events/buses";
import { envelope } from "#infra/local/aws/events/envelope";
import { alarmArn } from "#infra/local/aws/names";
import type { Clock } from "#ports/clock";

const STATES = ["OK", "ALARM", "INSUFFICIENT_DATA"];

interface AlarmState {
  readonly value: string;
  readonly reason: string;
  readonly timestamp: string;
}

interface SetAlarmStateInput {
  readonly AlarmName?: string;
  readonly StateValue?: string;
  readonly StateReason?: string;
}

export class Alarms {
  readonly #states = new Map<string, AlarmState>();
  readonly #buses: Buses;
  readonly #clock: Clock;

  constructor(buses: Buses, clock: Clock) {
    this.#buses = buses;
    this.#clock = clock;
  }

  /** There is no PutMetricAlarm here: every name is an alarm, and was OK. Only a change is an event. */
  setState({ AlarmName, StateValue = "", StateReason }: SetAlarmStateInput): object {
    if (!AlarmName || StateReason === undefined || !STATES.includes(StateValue)) {
      throw new AwsError(
        "ValidationError",
        `AlarmName and StateReason are required, and StateValue is one of ${STATES.join(", ")}.`,
      );
    }
    const nowMs = this.#clock.nowMs();
    const timestamp = new Date(nowMs).toISOString().replace("Z", "+0000");
    const previousState = this.#states.get(AlarmName) ?? { value: "OK", reason: "", timestamp };
    const state = { value: StateValue, reason: StateReason, timestamp };
    this.#states.set(AlarmName, state);
    if (state.value !== previousState.value) {
      // Ref: Amazon CloudWatch User Guide, "Alarm events and EventBridge".
      const event = envelope({
        id: randomUUID(),
        source: "aws.cloudwatch",
        detailType: "CloudWatch Alarm State Change",
        atMs: nowMs,
        resources: [alarmArn(AlarmName)],
        detail: { alarmName: AlarmName, state, previousState, configuration: { metrics: [] } },
      });
      this.#buses.emit("default", event);
    }
    return {};
  }
}
