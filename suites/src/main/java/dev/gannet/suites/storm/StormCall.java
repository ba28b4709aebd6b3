package dev.gannet.suites.storm;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.balancer.RingHashSettings;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.suites.Side;
import dev.gannet.suites.storm.CallPlan.Quirk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One call of a storm at its client: does what its plan says, keeps what comes of it, and holds
 * every event against the rules.
 */
final class StormCall implements ClientCall.Listener<Load> {
  static final Metadata.Key<String> NUMBER = Metadata.Key.ascii("number");

  private static final Metadata.Key<String> PREVIOUS_ATTEMPTS =
      Metadata.Key.ascii("grpc-previous-rpc-attempts");

  private final CallPlan plan;
  private final Attempts attempts;
  private final SimulatedLoop loop;
  private final Odds odds;
  private final StormExecutor executor;
  private final Turn turn;
  private final Reader reader;
  private @Nullable ClientCall<Load, Load> call;
  private final List<StormHandler> handlers = new ArrayList<>();
  private @Nullable Status status;
  private int sent;
  private int newestServed = -1;
  private boolean waitsUntilReady;
  private boolean headersSeen;
  private boolean givenUp;
  private boolean talkedOn;
  private boolean servedTooEarly;
  private long startedAtNanos;
  private long endedAtNanos;

  StormCall(
      CallPlan plan, Attempts attempts, SimulatedLoop loop, Odds odds, StormExecutor executor) {
    this.plan = plan;
    this.attempts = attempts;
    this.loop = loop;
    this.odds = odds;
    this.executor = executor;
    this.turn = new Turn(this + " at its client");
    this.reader = new Reader(plan.client(), plan.server().messages(), loop, odds, this::request);
  }

  CallPlan plan() {
    return plan;
  }

  Optional<Status> status() {
    return Optional.ofNullable(status);
  }

  /** One for each attempt that a server has served. */
  List<StormHandler> handlers() {
    return handlers;
  }

  boolean isGivenUp() {
    return givenUp;
  }

  /** Whether an attempt has come to a server before the pushback of the one before allows it. */
  boolean isServedTooEarly() {
    return servedTooEarly;
  }

  /** Whether its attempts have to be answered in time. */
  boolean hasReceiveTimeout() {
    return attempts.receiveTimeout().isPresent();
  }

  /** Whether its server never answers, so that only a limit of its attempts ends it. */
  boolean isLimitedByItsAttempts() {
    return hasReceiveTimeout() && plan.answering() == CallPlan.Answering.NEVER;
  }

  boolean mayBeRefusedByItsExecutor() {
    return executor.refuses();
  }

  boolean hasAllResponses() {
    return reader.hasAll();
  }

  long startedAtNanos() {
    return startedAtNanos;
  }

  long endedAtNanos() {
    return endedAtNanos;
  }

  void start(Channel channel, MethodDescriptor<Load, Load> method) {
    startedAtNanos = loop.nanoTime();
    ClientCall<Load, Load> made = channel.newCall(method, options());
    call = made;
    Metadata headers = new Metadata();
    headers.add(NUMBER, Integer.toString(plan.number()));
    made.start(this, headers);
    reader.start();
    if (plan.sendsOne(Side.CLIENT)) {
      send();
    } else {
      later(this::send);
    }
    plan.cancelNanos().ifPresent(nanos -> loop.schedule(() -> giveUp("as planned"), nanos));
  }

  private CallOptions options() {
    CallOptions options =
        CallOptions.DEFAULT
            .withExecutor(executor)
            .withWaitForReady(plan.waitsForReady())
            .withOption(RingHashSettings.HASH_KEY, "call " + plan.number());
    if (plan.compressed()) {
      options = options.withCompression("gzip");
    }
    if (plan.deadlineNanos().isPresent()) {
      Duration timeout = Duration.ofNanos(plan.deadlineNanos().getAsLong());
      options = options.withDeadline(Deadline.after(timeout, loop::nanoTime));
    }
    return options;
  }

  private ClientCall<Load, Load> call() {
    ClientCall<Load, Load> made = call;
    if (made == null) {
      throw new IllegalStateException(this + " was not started");
    }
    return made;
  }

  private void request(int messages) {
    try {
      call().request(messages);
    } catch (RejectedExecutionException e) {
      Invariant.holds(executor.refuses(), () -> this + " was refused by a willing executor");
    }
  }

  private void later(Runnable step) {
    loop.schedule(step, odds.oneIn(3) ? odds.nanosBelow(Reader.MAX_PAUSE_NANOS) : 0);
  }

  private void send() {
    if (status != null || talkedOn) {
      return;
    }
    Part part = plan.client();
    if (sent == part.messages().size()) {
      if (plan.quirk() != Quirk.NEVER_HALF_CLOSES) {
        call().halfClose();
      }
    } else if (part.polite() && !plan.sendsOne(Side.CLIENT) && !call().isReady()) {
      waitsUntilReady = true;
    } else {
      sendNext(part);
    }
  }

  /** A message for which there is no room ends the call, and its sender is told, too. */
  private void sendNext(Part part) {
    try {
      call().sendMessage(part.messages().get(sent++));
    } catch (StatusException e) {
      Invariant.holds(
          e.status().code() == Status.Code.RESOURCE_EXHAUSTED,
          () -> this + " was refused a message: " + e.status());
      return;
    }
    later(this::send);
  }

  /** Cancels, unless the call has ended. */
  void giveUp(String why) {
    givenUp |= status == null;
    call().cancel(why);
    if (plan.quirk() == Quirk.CANCELS_TWICE_AND_TALKS_ON) {
      talkedOn = true;
      call().cancel("again");
      request(1);
      if (!plan.sendsOne(Side.CLIENT)) {
        call().halfClose();
      }
    }
  }

  @Override
  public void onReady() {
    turn.take(() -> {
      if (waitsUntilReady) {
        waitsUntilReady = false;
        send();
      }
    });
  }

  @Override
  public void onHeaders(Metadata headers) {
    turn.take(() -> {
      Invariant.holds(!headersSeen && reader.read() == 0, () -> this + " got headers late");
      headersSeen = true;
      cancelIf(Quirk.CANCELS_AT_HEADERS);
    });
  }

  @Override
  public void onMessage(Load message) {
    turn.take(() -> {
      Invariant.holds(headersSeen, () -> this + " got a message before the headers");
      reader.onMessage(message);
      cancelIf(Quirk.CANCELS_AT_MESSAGE);
      if (plan.quirk() == Quirk.THROWS_AT_MESSAGE) {
        givenUp = true;
        throw new IllegalStateException("the listener throws as planned");
      }
    });
  }

  private void cancelIf(Quirk quirk) {
    if (plan.quirk() == quirk) {
      giveUp("at an event, as planned");
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    turn.takeLast(() -> {
      this.status = status;
      endedAtNanos = loop.nanoTime();
    });
  }

  /**
   * The server's end of the call, or of one more attempt of it. The request of an attempt that the
   * client gave up may arrive after the response to a newer one.
   */
  ServerCall.Listener<Load> serve(
      ServerCall<Load, Load> incoming, Metadata headers, boolean executorRefuses) {
    int previous = headers.get(PREVIOUS_ATTEMPTS).map(Integer::parseInt).orElse(0);
    int most = attempts.kind() == Attempts.Kind.ONE ? 1 : Attempts.MAX;
    if (handlers.size() == most) {
      turn.keep(new AssertionError(this + " was served " + (most + 1) + " times"));
    }
    boolean retried = attempts.kind() == Attempts.Kind.RETRIED;
    if (headersSeen && retried && previous >= newestServed) {
      turn.keep(new AssertionError(this + " was served again behind the headers of an answer"));
    }
    servedTooEarly |= retried && !handlers.isEmpty() && handlers.getLast().isPushingBack();
    newestServed = Math.max(newestServed, previous);
    StormHandler made = new StormHandler(plan, incoming, loop, odds.split(), executorRefuses);
    handlers.add(made);
    made.start();
    return made;
  }

  /** What broke a rule in an event of this call, if anything did. */
  void checkEvents() {
    turn.check();
    handlers.forEach(StormHandler::checkEvents);
  }

  @Override
  public String toString() {
    return plan + " on " + executor;
  }
}
