package dev.gannet.testing;

import dev.gannet.api.Dispatch;
import dev.gannet.api.ForwardingServerCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.StatusException;
import dev.gannet.server.Server;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server with scripted replies: messages, delays, failures, GOAWAY, or no reply at all. {@link
 * Testbed#fake} starts one.
 *
 * <pre>{@code
 * FakeServer fake = testbed.fake(new Greeter() {});
 * fake.on(GreeterMethods.SAY_HELLO, Reply.failure(Status.UNAVAILABLE), Reply.of(hello));
 * GreeterClient greeter = GreeterClient.of(testbed.channelTo(fake.address()));
 * }</pre>
 *
 * <p>It is a real server: its clients see the same as with any other. Safe for all threads.
 */
public final class FakeServer {
  /** More requests than any test sends. */
  private static final int ALL = 1 << 24;

  private static final Executor VIRTUAL_THREADS =
      task -> Thread.ofVirtual().name("gannet-testing").start(task);

  private final Testbed testbed;
  private final ServerServiceDefinition service;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition received = lock.newCondition();
  private final Map<MethodDescriptor<?, ?>, Script<?, ?>> scripts = new HashMap<>();
  private final Map<MethodDescriptor<?, ?>, List<ReceivedCall<?>>> calls = new HashMap<>();
  private SocketAddress address;
  private int delayed;
  private @Nullable Server server;

  FakeServer(Testbed testbed, ServerServiceDefinition service, SocketAddress anywhere) {
    this.testbed = testbed;
    this.service = service.map(this::faked);
    this.address = anywhere;
    start();
  }

  /** The remaining replies of one method; the last of them stays. */
  private record Script<Q, R>(Deque<Function<List<Q>, Reply<R>>> replies) {
    Function<List<Q>, Reply<R>> next() {
      return replies.size() > 1 ? replies.removeFirst() : replies.getFirst();
    }
  }

  /** The address for clients. It stays the same when the server is stopped and started. */
  public SocketAddress address() {
    lock.lock();
    try {
      return address;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sets the replies to calls of a method: the first call gets the first reply, and so on, and all
   * further calls get the last one.
   *
   * @throws IllegalArgumentException if there is no reply, or the service has no such method
   */
  @SafeVarargs
  public final <Q, R> void on(MethodDescriptor<Q, R> method, Reply<R>... replies) {
    if (replies.length == 0) {
      throw new IllegalArgumentException("a script needs at least one reply");
    }
    Deque<Function<List<Q>, Reply<R>>> script = new ArrayDeque<>();
    for (Reply<R> reply : replies) {
      script.add(new Fixed<>(reply));
    }
    put(method, new Script<>(script));
  }

  /**
   * Sets a function that computes the reply to each call of a method from its requests, when they
   * are complete.
   *
   * @throws IllegalArgumentException if the service has no such method
   */
  public <Q, R> void onEach(MethodDescriptor<Q, R> method, Function<List<Q>, Reply<R>> answer) {
    put(method, new Script<>(new ArrayDeque<>(List.of(answer))));
  }

  private void put(MethodDescriptor<?, ?> method, Script<?, ?> script) {
    if (service.methods().stream().noneMatch(it -> it.method().equals(method))) {
      throw new IllegalArgumentException(
          service.serviceName() + " has no method " + method.fullMethodName());
    }
    lock.lock();
    try {
      scripts.put(method, script);
    } finally {
      lock.unlock();
    }
  }

  /** A reply that does not depend on requests. */
  private record Fixed<Q, R>(Reply<R> reply) implements Function<List<Q>, Reply<R>> {
    @Override
    public Reply<R> apply(List<Q> requests) {
      return reply;
    }
  }

  /** The calls of a method so far, in the order of their arrival. */
  public <Q> List<ReceivedCall<Q>> calls(MethodDescriptor<Q, ?> method) {
    lock.lock();
    try {
      return typed(calls.getOrDefault(method, List.of()));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until there are this many calls of a method, and returns them.
   *
   * @throws AssertionError if there are fewer after this time
   */
  public <Q> List<ReceivedCall<Q>> awaitCalls(
      MethodDescriptor<Q, ?> method, int count, Duration atMost) throws InterruptedException {
    long leftNanos = TimeUnit.NANOSECONDS.convert(atMost);
    lock.lock();
    try {
      while (calls.getOrDefault(method, List.of()).size() < count) {
        if (leftNanos <= 0) {
          throw new AssertionError(
              "%d calls of %s after %s, not %d"
                  .formatted(calls(method).size(), method.fullMethodName(), atMost, count));
        }
        leftNanos = received.awaitNanos(leftNanos);
      }
      return calls(method);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Blocks until this many delayed replies have begun to wait, counted from the start: then a
   * virtual clock can be moved.
   *
   * @throws AssertionError if there are fewer after this time, which is real time
   */
  public void awaitDelayedReplies(int count, Duration atMost) throws InterruptedException {
    long leftNanos = TimeUnit.NANOSECONDS.convert(atMost);
    lock.lock();
    try {
      while (delayed < count) {
        if (leftNanos <= 0) {
          throw new AssertionError(
              "%d delayed replies after %s, not %d".formatted(delayed, atMost, count));
        }
        leftNanos = received.awaitNanos(leftNanos);
      }
    } finally {
      lock.unlock();
    }
  }

  private void countDelayed() {
    lock.lock();
    try {
      delayed++;
      received.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("unchecked") // calls are stored by their method, which determines the type
  private static <Q> List<ReceivedCall<Q>> typed(List<ReceivedCall<?>> calls) {
    return (List<ReceivedCall<Q>>) (List<?>) List.copyOf(calls);
  }

  /** Starts it again at its address; does nothing if it is running. */
  public void start() {
    lock.lock();
    try {
      if (server == null) {
        Server started =
            testbed.serveAt(
                address,
                builder -> {
                  if (testbed
                      .clock()
                      .isPresent()) { // so that a call has started when it is created
                    builder.dispatch(Dispatch.inline());
                  }
                  return builder.add(service);
                });
        server = started;
        address = testbed.address(started);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends all its calls and connections; new connections are refused. */
  public void stop() {
    Server stopped = take();
    if (stopped != null) {
      stopped.shutdownNow();
    }
  }

  /** Sends GOAWAY to all its clients: running calls may end, and new ones use new connections. */
  public void goAway() {
    lock.lock();
    try {
      Server leaving = take();
      if (leaving != null) {
        leaving.shutdown(); // frees the address
      }
      start();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Server take() {
    lock.lock();
    try {
      Server taken = server;
      server = null;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private <Q, R> ServerMethodDefinition<Q, R> faked(ServerMethodDefinition<Q, R> method) {
    return method.withHandler(new Faked<>(this, method.method(), method.handler()));
  }

  private <Q, R> Optional<Function<List<Q>, Reply<R>>> begin(
      MethodDescriptor<Q, R> method, ReceivedCall<Q> call) {
    lock.lock();
    try {
      calls.computeIfAbsent(method, it -> new ArrayList<>()).add(call);
      received.signalAll();
      @SuppressWarnings(
          "unchecked") // scripts are stored by their method, which determines the type
      Script<Q, R> script = (Script<Q, R>) scripts.get(method);
      return Optional.ofNullable(script).map(Script::next);
    } finally {
      lock.unlock();
    }
  }

  /** Runs the task after a delay; returns an action that cancels it. */
  private Runnable later(Duration delay, Runnable task) {
    Optional<VirtualClock> clock = testbed.clock();
    if (clock.isPresent()) {
      return clock.get().scheduler().schedule(task, TimeUnit.NANOSECONDS.convert(delay))::cancel;
    }
    CompletableFuture.delayedExecutor(
            TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS, VIRTUAL_THREADS)
        .execute(task);
    return () -> {};
  }

  /** The handler that replaces a method's handler. */
  private record Faked<Q, R>(
      FakeServer fake, MethodDescriptor<Q, R> method, ServerCallHandler<Q, R> own)
      implements ServerCallHandler<Q, R> {
    @Override
    public ServerCall.Listener<Q> startCall(ServerCall<Q, R> call, Metadata headers) {
      ReceivedCall<Q> received = new ReceivedCall<>(headers, call.context().deadline());
      Optional<Function<List<Q>, Reply<R>>> answer = fake.begin(method, received);
      if (answer.isEmpty()) {
        return new Recorded<>(own.startCall(call, headers), received);
      }
      call.request(ALL);
      return new Scripted<>(fake, call, received, answer.get());
    }

    @Override
    public boolean waitsForPeer() {
      return own.waitsForPeer();
    }
  }

  /** A call that the service itself answers. */
  private static final class Recorded<Q> extends ForwardingServerCallListener<Q> {
    private final ReceivedCall<Q> received;

    Recorded(ServerCall.Listener<Q> delegate, ReceivedCall<Q> received) {
      super(delegate);
      this.received = received;
    }

    @Override
    public void onMessage(Q message) {
      received.add(message);
      super.onMessage(message);
    }

    @Override
    public void onCancel() {
      received.cancel();
      super.onCancel();
    }
  }

  /** A call that the script answers. */
  private static final class Scripted<Q, R> implements ServerCall.Listener<Q> {
    private final FakeServer fake;
    private final ServerCall<Q, R> call;
    private final ReceivedCall<Q> received;
    private final Function<List<Q>, Reply<R>> script;
    private Runnable timer = () -> {};
    private boolean answered;

    Scripted(
        FakeServer fake,
        ServerCall<Q, R> call,
        ReceivedCall<Q> received,
        Function<List<Q>, Reply<R>> script) {
      this.fake = fake;
      this.call = call;
      this.received = received;
      this.script = script;
    }

    @Override
    public void onReady() {
      boolean atOnce = script instanceof Fixed<?, ?> it && it.reply().when() == Reply.When.AT_ONCE;
      if (atOnce) {
        answer();
      }
    }

    @Override
    public void onMessage(Q message) {
      received.add(message);
    }

    @Override
    public void onHalfClose() {
      answer();
    }

    @Override
    public void onCancel() {
      received.cancel();
      timer.run();
    }

    private void answer() {
      if (answered) {
        return;
      }
      answered = true;
      Reply<R> reply = script.apply(received.requests());
      if (reply.when() == Reply.When.NEVER) {
        return;
      }
      if (reply.connection() == Reply.Connection.GOES_AWAY) {
        fake.goAway();
      }
      if (reply.delay().isPositive()) {
        timer = fake.later(reply.delay(), () -> send(reply));
        fake.countDelayed();
      } else {
        send(reply);
      }
    }

    /** A reply that the method does not allow ends the call, also on a timer. */
    private void send(Reply<R> reply) {
      try {
        sendAll(reply);
      } catch (StatusException e) {
        call.fail(e);
      }
    }

    private void sendAll(Reply<R> reply) {
      Metadata headers = reply.headers();
      if (!headers.isEmpty()) {
        call.sendHeaders(headers);
      }
      reply.messages().forEach(call::sendMessage);
      call.close(reply.status(), reply.trailers());
    }
  }

  @Override
  public String toString() {
    return "FakeServer(" + service.serviceName() + " at " + address() + ")";
  }
}
