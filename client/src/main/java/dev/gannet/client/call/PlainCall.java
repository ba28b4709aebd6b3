package dev.gannet.client.call;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.retry.MethodSettings;
import dev.gannet.client.retry.RetryThrottle;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientStream;
import org.jspecify.annotations.Nullable;

/**
 * A call whose method has no policy for retries or hedging: it has one attempt, and another one if
 * the server has not processed it (a transparent retry, gRFC A6).
 *
 * <p>The caller always sends to the first attempt; if that has been left, its stream forwards.
 */
public final class PlainCall<Q, R> extends OutgoingCall<Q, R> {
  private final MethodSettings settings;

  /** The attempt that has replaced the first; null while there is none. */
  private volatile @Nullable Attempt<Q, R> later;

  /**
   * A call that has not started.
   *
   * @param settings what the service config says about its method: no policy for attempts
   */
  public PlainCall(
      CallOwner channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      MethodSettings settings) {
    super(channel, method, options);
    this.settings = settings;
  }

  @Override
  MethodConfig methodConfig() {
    return settings.config();
  }

  @Override
  RetryThrottle throttle() {
    return settings.throttle();
  }

  @Override
  void onFailed(Metadata trailers) {
    settings.throttle().onFailureWithoutPolicy(trailers);
  }

  @Override
  boolean onBegin() {
    return true;
  }

  @Override
  Attempt<Q, R> current() {
    Attempt<Q, R> replaced = later;
    return replaced == null ? firstAttempt() : replaced;
  }

  @Override
  CallStart<Q, R> callStartOf(Attempt<Q, R> attempt) {
    return asStarted();
  }

  @Override
  void sendOut(Q message, boolean compressed) {
    firstAttempt().sendMessage(message, compressed);
    firstAttempt().sendFlush();
  }

  @Override
  void sendWhole(Q message, boolean compressed) {
    firstAttempt().sendMessage(message, compressed);
    halfClose(); // which also flushes
  }

  @Override
  void closeOut() {
    firstAttempt().sendHalfClose();
    firstAttempt().sendFlush();
  }

  @Override
  boolean isStreamReady() {
    ClientStream<Q> stream = current().stream();
    return stream != null && stream.isReady();
  }

  @Override
  void onEvent(Attempt<Q, R> attempt, CallEvent event) {
    add(event);
  }

  /** Headers do not wait until a message is requested. */
  @Override
  boolean acceptsWholeResponse() {
    return isMessageRequested();
  }

  @Override
  boolean mayMove(Attempt<Q, R> attempt) {
    return !channel().isClosing();
  }

  @Override
  boolean mayRepeatRefused(Attempt<Q, R> attempt) {
    return !attempt.isRefusedBefore(); // they follow each other
  }

  @Override
  void move(Attempt<Q, R> left, Attempt<Q, R> next, Status why) {
    onMoved(left, why);
    later = next;
    pickFor(next);
  }

  @Override
  void failForGood(Attempt<Q, R> attempt, Status why) {
    attempt.failBeforeStart(why);
  }

  @Override
  void endMoved(Attempt<Q, R> attempt, Status status) {
    cancelWith(status);
  }

  @Override
  void endAttempts(Status status) {
    current().end(status);
  }

  @Override
  void onDeadline() {
    endLate();
  }
}
