package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.testing.StormPlan.Answering;
import dev.gannet.testing.StormPlan.Sending;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** One call of a storm: does at both ends what its plan says, and keeps what came of it. */
final class StormCall implements ClientCall.Listener<String> {
  static final Metadata.Key<String> NUMBER = Metadata.Key.ascii("number");

  private static final long LONGEST_PAUSE_NANOS = 20_000_000;

  private final int number;
  private final StormPlan plan;
  private final SimulatedLoop loop;
  private final SplittableRandom random;
  private final List<String> received = new ArrayList<>();
  private Optional<ClientCall<String, String>> call = Optional.empty();
  private Optional<Served> served = Optional.empty();
  private Optional<Status> status = Optional.empty();
  private int sent;
  private boolean waitingForReady;
  private int ends;
  private int eventsAfterEnd;
  private boolean cancelled;
  private long startedAtNanos;
  private long endedAtNanos;

  StormCall(int number, SimulatedLoop loop, SplittableRandom random) {
    this.number = number;
    this.loop = loop;
    this.random = random;
    this.plan = StormPlan.random(number, random);
  }

  StormPlan plan() {
    return plan;
  }

  Optional<Status> status() {
    return status;
  }

  void start(Channel channel) {
    startedAtNanos = loop.nanoTime();
    CallOptions options = CallOptions.DEFAULT.withCompression(plan.encoding());
    if (plan.deadline().isPresent()) {
      options = options.withDeadline(Deadline.after(plan.deadline().get(), loop::nanoTime));
    }
    if (random.nextInt(4) == 0) {
      options = options.withWaitForReady(true);
    }
    ClientCall<String, String> made = channel.newCall(plan.method(), options);
    call = Optional.of(made);
    Metadata headers = new Metadata();
    headers.put(NUMBER, String.valueOf(number));
    made.start(this, headers);
    made.request(1);
    next(this::send);
    plan.cancelAfter().ifPresent(after -> loop.schedule(this::cancel, after.toNanos()));
  }

  /** A single request leaves as a whole, messages of a stream one by one. */
  private void next(Runnable step) {
    if (plan.method().type().clientSendsOneMessage()) {
      step.run();
    } else {
      later(step);
    }
  }

  private void later(Runnable step) {
    loop.schedule(step, random.nextInt(3) == 0 ? random.nextLong(LONGEST_PAUSE_NANOS) : 0);
  }

  private void cancel() {
    cancelled = status.isEmpty();
    call.orElseThrow().cancel("as planned");
  }

  private void send() {
    ClientCall<String, String> to = call.orElseThrow();
    if (status.isPresent()) {
      return;
    }
    if (sent == plan.requests().size()) {
      to.halfClose();
    } else if (isPolite() && !plan.method().type().clientSendsOneMessage() && !to.isReady()) {
      waitingForReady = true;
    } else {
      to.sendMessage(plan.requests().get(sent++));
      next(this::send);
    }
  }

  private boolean isPolite() {
    return plan.sending() == Sending.POLITE;
  }

  @Override
  public void onReady() {
    countEvent();
    if (waitingForReady) {
      waitingForReady = false;
      send();
    }
  }

  @Override
  public void onHeaders(Metadata headers) {
    countEvent();
  }

  @Override
  public void onMessage(String message) {
    countEvent();
    received.add(message);
    later(() -> call.orElseThrow().request(1));
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    countEvent();
    ends++;
    endedAtNanos = loop.nanoTime();
    this.status = Optional.of(status);
  }

  private void countEvent() {
    eventsAfterEnd += ends;
  }

  /** The server's end of the call. */
  ServerCall.Listener<String> serve(ServerCall<String, String> incoming) {
    assertThat(served).as("call %d is served once", number).isEmpty();
    Served end = new Served(incoming);
    served = Optional.of(end);
    incoming.setCompression(plan.encoding());
    incoming.request(1);
    if (plan.answering() == Answering.AT_ONCE) {
      later(end::send);
    }
    return end;
  }

  /** Whether all that must hold of an ended call holds. */
  void check(boolean calm) {
    String name = "call %d, %s, %s".formatted(number, plan.method(), status);
    assertThat(ends).as("ends of %s", name).isOne();
    assertThat(eventsAfterEnd).as("events after the end of %s", name).isZero();
    assertPrefix(received, plan.responses(), "responses of " + name);
    served.ifPresent(end -> end.check(name));
    Status is = status.orElseThrow();
    switch (is.code()) {
      case OK -> checkSuccess(name);
      case ABORTED -> assertThat(plan.end().code()).as(name).isEqualTo(Status.Code.ABORTED);
      case CANCELLED -> assertThat(cancelled).as(name).isTrue();
      case DEADLINE_EXCEEDED -> assertThat(plan.deadline()).as(name).isPresent();
      case UNAVAILABLE -> assertThat(!calm || isRefused(is)).as(name + " in a calm").isTrue();
      default -> throw new AssertionError(name + " should not end so");
    }
    long latestNanos = received.size() * LONGEST_PAUSE_NANOS; // an answer may wait for its reader
    plan.deadline()
        .ifPresent(deadline ->
            assertThat(endedAtNanos - startedAtNanos)
                .as("time of " + name)
                .isLessThanOrEqualTo(deadline.toNanos() + latestNanos));
  }

  /** A server over its limit of calls may say so: handlers of cancelled ones take up room too. */
  private static boolean isRefused(Status status) {
    return status.description().orElse("").contains("REFUSED_STREAM");
  }

  private void checkSuccess(String name) {
    assertThat(plan.end().isOk()).as(name).isTrue();
    assertThat(received).as("responses of " + name).hasSameSizeAs(plan.responses());
    if (plan.answering() == Answering.BEHIND_REQUESTS) {
      assertThat(served.orElseThrow().requests).as(name).hasSameSizeAs(plan.requests());
    }
  }

  private static void assertPrefix(List<String> part, List<String> whole, String name) {
    assertThat(part.size()).as(name).isLessThanOrEqualTo(whole.size());
    for (int i = 0; i < part.size(); i++) {
      assertThat(part.get(i).equals(whole.get(i))).as("%s: number %d", name, i).isTrue();
    }
  }

  /** What the server of the call sees and does. */
  private final class Served implements ServerCall.Listener<String> {
    private final ServerCall<String, String> incoming;
    private final List<String> requests = new ArrayList<>();
    private int answered;
    private boolean waiting;
    private int ends;
    private int eventsAfterEnd;

    Served(ServerCall<String, String> incoming) {
      this.incoming = incoming;
    }

    private void send() {
      if (ends > 0) {
        return;
      }
      boolean single = plan.method().type().serverSendsOneMessage();
      if (answered == plan.responses().size()) {
        incoming.close(plan.end(), new Metadata());
      } else if (isPolite() && !single && !incoming.isReady()) {
        waiting = true;
      } else {
        incoming.sendMessage(plan.responses().get(answered++));
        later(this::send);
      }
    }

    @Override
    public void onReady() {
      countEvent();
      if (waiting) {
        waiting = false;
        send();
      }
    }

    @Override
    public void onMessage(String message) {
      countEvent();
      requests.add(message);
      later(() -> incoming.request(1));
    }

    @Override
    public void onHalfClose() {
      countEvent();
      if (plan.answering() == Answering.BEHIND_REQUESTS) {
        later(this::send);
      }
    }

    @Override
    public void onCancel() {
      countEvent();
      ends++;
    }

    @Override
    public void onComplete() {
      countEvent();
      ends++;
    }

    private void countEvent() {
      eventsAfterEnd += ends;
    }

    void check(String name) {
      assertThat(ends).as("ends at the server of %s", name).isOne();
      assertThat(eventsAfterEnd).as("events after the end at the server of %s", name).isZero();
      assertPrefix(requests, plan.requests(), "requests of " + name);
    }
  }
}
