package dev.gannet.client.call;

import dev.gannet.api.CallFailure;
import dev.gannet.api.Status;
import dev.gannet.client.call.WaitedTime.Purpose;
import dev.gannet.client.credentials.ControlPlaneStatus;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ClientStream;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Explains how one call has failed: collects its {@link CallHistory} while it waits or its attempts
 * fail, and adds that, and what the channel knows, to the status that ends it. Only calls that have
 * waited, were retried or have failed have one; see {@link OutgoingCall#diagnosis}.
 *
 * <p>Safe for all threads: attempts in parallel may change the history at the same time.
 */
final class CallDiagnosis {
  private final OutgoingCall<?, ?> call;

  private final AtomicReference<CallHistory> history = new AtomicReference<>(CallHistory.NONE);

  CallDiagnosis(OutgoingCall<?, ?> call) {
    this.call = call;
  }

  /** An attempt of the call has waited since this time for a connection. */
  void onWaited(long sinceNanos) {
    addWait(sinceNanos, forConnection());
  }

  /** An attempt of the call has waited since this time for a stream of its connection. */
  void onWaitedForStream(long sinceNanos) {
    addWait(sinceNanos, new Purpose.Stream());
  }

  /** An attempt of the call has waited since this time for its call credentials. */
  void onWaitedForCredentials(long sinceNanos) {
    addWait(sinceNanos, new Purpose.Credentials());
  }

  private void addWait(long sinceNanos, Purpose purpose) {
    long nowNanos = nowNanos();
    history.updateAndGet(known -> known.waited(sinceNanos, nowNanos, purpose));
  }

  private Purpose forConnection() {
    return new Purpose.Connection(call.channel()::resolverNanos);
  }

  /** This attempt has failed with that, which does not end the call. */
  void onAttemptFailed(Attempt<?, ?> attempt, Status why) {
    CallFailure.Attempt failed = failed(attempt, why);
    history.updateAndGet(known -> known.failed(failed));
  }

  /**
   * How an attempt has failed. Its server is that of its stream, whichever side has ended it. If
   * the status has details of that server, they are from its connection, which knows more; details
   * of another server are of another call, which a marshaller may have made.
   */
  private static CallFailure.Attempt failed(Attempt<?, ?> attempt, Status why) {
    ClientStream<?> stream = attempt.reachedStream();
    CallFailure.Attempt bare = CallFailure.Attempt.of(ControlPlaneStatus.withoutDetails(why));
    if (stream == null) {
      return bare;
    }
    CallFailure.Attempt ofStream = bare.withServer(stream.connection().remoteAddress());
    return why.failure()
        .filter(it -> !it.attempts().isEmpty())
        .map(it -> it.attempts().getLast())
        .filter(it -> it.server().equals(ofStream.server()))
        .orElse(ofStream);
  }

  private long nowNanos() {
    return call.channel().settings().scheduler().nanoTime();
  }

  /**
   * The end of the call with the details that the channel knows.
   *
   * @param ofAttempt whether an attempt has ended with it; otherwise none was running
   */
  CallEvent.Closed explain(CallEvent.Closed closed, boolean ofAttempt) {
    Status status = closed.status();
    CallFailure failure =
        untilNow()
            .failure(
                failed(call.current(), status), ofAttempt, call.inBackoffNanos(), call.ageNanos())
            .withTarget(call.channel().settings().targetText());
    CallFailure whole = call.channel().journal().addTo(failure);
    return closed.withStatus(status.withFailure(whole));
  }

  /** The history with the current wait; the ending thread removes the attempt afterwards. */
  private CallHistory untilNow() {
    CallHistory known = history.get();
    Attempt<?, ?> current = call.current();
    OptionalLong pending = call.channel().picker().pending().sinceNanos(current);
    if (pending.isPresent()) {
      return known.waited(pending.getAsLong(), nowNanos(), forConnection());
    }
    OptionalLong asked = call.channel().withoutStream().unauthorized().sinceNanos(current);
    return asked.isPresent()
        ? known.waited(asked.getAsLong(), nowNanos(), new Purpose.Credentials())
        : known;
  }
}
