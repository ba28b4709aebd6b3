package dev.gannet.suites.storm;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.suites.Side;
import dev.gannet.suites.storm.CallPlan.Answering;
import dev.gannet.suites.storm.CallPlan.Ending;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/** One call of a storm at its server: does what its plan says and keeps what it is told. */
final class StormHandler implements ServerCall.Listener<Load> {
  private static final Metadata.Key<String> PUSHBACK = Metadata.Key.ascii("grpc-retry-pushback-ms");

  private static final long LATEST_NANOS = 1_000_000_000;
  private static final int MOST_PUSHBACK_MILLIS = 2_000;

  private final CallPlan plan;
  private final ServerCall<Load, Load> call;
  private final SimulatedLoop loop;
  private final Odds odds;
  private final boolean executorRefuses;
  private final Turn turn;
  private final Reader reader;
  private int answered;
  private long pushedBackAtNanos;

  /** How long no further attempt is allowed after that; 0 if it has not said so. */
  private long pushbackNanos;

  private boolean sending;
  private boolean waitsUntilReady;
  private boolean halfClosed;
  private boolean completed;
  private boolean cancelled;

  StormHandler(
      CallPlan plan,
      ServerCall<Load, Load> call,
      SimulatedLoop loop,
      Odds odds,
      boolean executorRefuses) {
    this.plan = plan;
    this.call = call;
    this.loop = loop;
    this.odds = odds;
    this.executorRefuses = executorRefuses;
    this.turn = new Turn("call " + plan.number() + " at its server");
    this.reader = new Reader(plan.server(), plan.client().messages(), loop, odds, this::request);
  }

  /** Begins to serve; throws where it is planned so. */
  void start() {
    if (plan.ending() == Ending.THROWN_AT_START) {
      throw new IllegalStateException("the handler throws as planned");
    }
    if (plan.compressed()) {
      call.setCompression("gzip");
    }
    reader.start();
    if (plan.answering() == Answering.AT_ONCE) {
      beginToSend(0);
    }
  }

  boolean hasAllRequests() {
    return reader.hasAll() && halfClosed;
  }

  boolean isCompleted() {
    return completed;
  }

  boolean isCancelled() {
    return cancelled;
  }

  private void request(int messages) {
    try {
      call.request(messages);
    } catch (RejectedExecutionException e) {
      Invariant.holds(executorRefuses, () -> this + " was refused by a willing executor");
    }
  }

  private void beginToSend(long delayNanos) {
    if (!sending) {
      sending = true;
      loop.schedule(this::send, delayNanos);
    }
  }

  private void send() {
    if (turn.ends() > 0) {
      return;
    }
    List<Load> messages = plan.server().messages();
    boolean single = plan.sendsOne(Side.SERVER);
    if (answered == messages.size()) {
      end();
    } else if (plan.server().polite() && !single && !call.isReady()) {
      waitsUntilReady = true;
    } else {
      call.sendMessage(messages.get(answered++));
      loop.schedule(this::send, odds.oneIn(3) ? odds.nanosBelow(Reader.MAX_PAUSE_NANOS) : 0);
    }
  }

  private void end() {
    Status status =
        switch (plan.ending()) {
          case ABORTED -> CallPlan.PLANNED_ABORT;
          case CANCELLED -> CallPlan.PLANNED_CANCEL;
          case OK, THROWN_STATUS, THROWN_AT_START, THROWN_AT_MESSAGE -> Status.OK;
        };
    if (!status.isOk() && odds.oneIn(2)) {
      call.end(status, pushback());
    } else {
      call.close(status, status.isOk() ? new Metadata() : pushback());
    }
    if (odds.oneIn(8)) {
      call.sendMessage(Load.of(plan.number(), Side.SERVER, -1, 0)); // has no effect
      call.close(Status.DATA_LOSS, new Metadata());
    }
  }

  /** The trailers of a failure: some forbid further attempts for a while, or for ever. */
  private Metadata pushback() {
    Metadata trailers = new Metadata();
    if (odds.oneIn(2)) {
      int millis = odds.oneIn(4) ? -1 : odds.below(MOST_PUSHBACK_MILLIS);
      trailers.add(PUSHBACK, Integer.toString(millis));
      pushedBackAtNanos = loop.nanoTime();
      pushbackNanos = millis < 0 ? Long.MAX_VALUE : Duration.ofMillis(millis).toNanos();
    }
    return trailers;
  }

  /** Whether it has ended the call, and allows no further attempt yet. */
  boolean isPushingBack() {
    return pushbackNanos > 0 && loop.nanoTime() - pushedBackAtNanos < pushbackNanos;
  }

  @Override
  public void onReady() {
    turn.take(() -> {
      if (plan.ending() == Ending.THROWN_STATUS) {
        throw CallPlan.PLANNED_THROW.asException();
      }
      if (waitsUntilReady) {
        waitsUntilReady = false;
        send();
      }
    });
  }

  @Override
  public void onMessage(Load message) {
    turn.take(() -> {
      Invariant.holds(!halfClosed, () -> this + " got a message behind the half-close");
      reader.onMessage(message);
      if (plan.ending() == Ending.THROWN_AT_MESSAGE) {
        throw new IllegalStateException("the handler throws as planned");
      }
      answerInTurn();
    });
  }

  /** One response for this request; whatever is left comes behind the last. */
  private void answerInTurn() {
    boolean streams = !plan.sendsOne(Side.SERVER);
    if (plan.answering() == Answering.IN_TURN
        && streams
        && answered < plan.server().messages().size()) {
      call.sendMessage(plan.server().messages().get(answered++));
    }
  }

  @Override
  public void onHalfClose() {
    turn.take(() -> {
      Invariant.holds(!halfClosed, () -> this + " was half-closed twice");
      halfClosed = true;
      switch (plan.answering()) {
        case BEHIND_REQUESTS, IN_TURN -> beginToSend(0);
        case LATE -> beginToSend(odds.nanosBelow(LATEST_NANOS));
        case AT_ONCE, NEVER -> {}
      }
    });
  }

  @Override
  public void onCancel() {
    turn.takeLast(() -> cancelled = true);
  }

  @Override
  public void onComplete() {
    turn.takeLast(() -> completed = true);
  }

  void checkEvents() {
    turn.check();
  }

  @Override
  public String toString() {
    return "the handler of call " + plan.number();
  }
}
