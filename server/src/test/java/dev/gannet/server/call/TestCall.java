package dev.gannet.server.call;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.protocol.ArraySource;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.MessageReading;
import dev.gannet.transport.memory.ParsingTurns;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call of the engine between a stream and a handler that a test plays both; everything runs on
 * the test's own thread.
 */
public final class TestCall {
  /** What a handler does at an event. */
  public interface Action {
    void on(ServerCall<String, String> call) throws InterruptedException;
  }

  public final SimulatedLoop loop = new SimulatedLoop();
  public final FakeServerStream stream = new FakeServerStream();
  public final List<String> heard = new ArrayList<>();
  private final Map<String, Action> actions = new HashMap<>();
  private final MethodType type;
  private final HandlerRunner runner;
  private @Nullable IncomingCall<String, String> events;
  private @Nullable ServerCall<String, String> held;
  public boolean refusing;
  public int tasks;
  public int requestedAtBegin = 1_000;

  private TestCall(MethodType type, Function<Executor, HandlerRunner> runner) {
    this.type = type;
    this.runner = runner.apply(this::execute);
  }

  public static TestCall of(MethodType type) {
    return new TestCall(type, OnExecutor::new);
  }

  public static TestCall unary() {
    return of(MethodType.UNARY);
  }

  public static TestCall bidi() {
    return of(MethodType.BIDI_STREAMING);
  }

  public static TestCall onVirtualThread(MethodType type) {
    return new TestCall(type, OnVirtualThread::new);
  }

  /** On its event loop; the executor is where it would go on elsewhere. */
  public static TestCall onLoop(MethodType type) {
    TestCall call =
        new TestCall(
            type,
            elsewhere ->
                new OnEventLoop(new SlowPassCounter(() -> 0, elsewhere), "pkg.Service/Method"));
    call.stream.onLoop = true;
    return call;
  }

  private void execute(Runnable task) {
    if (refusing) {
      throw new RejectedExecutionException("shut down");
    }
    tasks++;
    loop.execute(task);
  }

  /** What the handler does when it begins, or hears of an event. */
  public TestCall at(String event, Action action) {
    actions.put(event, action);
    return this;
  }

  private void happens(String event) {
    heard.add(event);
    Action action = actions.get(event);
    if (action != null) {
      try {
        action.on(call());
      } catch (InterruptedException e) {
        heard.add("interrupted");
      }
    }
  }

  private ServerCall.Listener<String> start(ServerCall<String, String> call, Metadata headers) {
    held = call;
    if (requestedAtBegin > 0) {
      call.request(requestedAtBegin);
    }
    happens("begin");
    return new Listener();
  }

  private final class Listener implements ServerCall.Listener<String> {
    @Override
    public void onReady() {
      happens("ready");
    }

    @Override
    public void onMessage(String message) {
      happens(message);
    }

    @Override
    public void onHalfClose() {
      happens("half-close");
    }

    @Override
    public void onCancel() {
      happens("cancel");
    }

    @Override
    public void onComplete() {
      happens("complete");
    }
  }

  /** The call's headers have come. */
  public TestCall comes() {
    events = TestCalls.incoming(TestCalls.served(type, this::start), stream, runner);
    events.flush();
    loop.runUntilIdle();
    return this;
  }

  /** The call's headers have come, and a message in the same batch. */
  public TestCall comesWith(String message) {
    events = TestCalls.incoming(TestCalls.served(type, this::start), stream, runner);
    return hears(message);
  }

  public IncomingCall<String, String> events() {
    if (events == null) {
      throw new AssertionError("the call has not come");
    }
    return events;
  }

  /** The call in the handler's hand. */
  public ServerCall<String, String> call() {
    if (held == null) {
      throw new AssertionError("the handler has not begun");
    }
    return held;
  }

  public boolean hasBegun() {
    return held != null;
  }

  /** An event comes, alone in its batch. */
  public TestCall hears(CallEvent event) {
    events().add(event);
    events().flush();
    loop.runUntilIdle();
    return this;
  }

  public TestCall hears(String message) {
    return hears(CallEvent.Message.parsed(message, message.length()));
  }

  /** A message that the thread that takes it parses. */
  public TestCall hearsUnread(String message, MessageEncoding encoding) {
    byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
    return hearsUnread(ByteBuffer.wrap(bytes), encoding);
  }

  public TestCall hearsUnread(ByteBuffer bytes, MessageEncoding encoding) {
    int max = 1 << 30;
    MessageReading reading =
        new MessageReading(
            MessageSizeLimit.OF_RECEIVED_REQUESTS,
            max,
            max,
            ArraySource.HEAP,
            ParsingTurns.SHARED.join(),
            new NoLedger());
    return hears(CallEvent.Message.unparsed(bytes, bytes.remaining(), encoding, reading));
  }

  private record NoLedger() implements MessageReading.Ledger {
    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public void onSlow(long excessNanos) {
      throw new AssertionError("no time has passed");
    }
  }

  public TestCall halfCloses() {
    return hears(new CallEvent.HalfClosed());
  }

  /** A whole request with a single message. */
  public TestCall asks(String message) {
    events().add(CallEvent.Message.parsed(message, message.length()));
    return halfCloses();
  }

  /** The stream has ended without the handler's answer. */
  public TestCall isCutOff() {
    return hears(CallEvent.Closed.atOnce(Status.CANCELLED.withDescription("cut off")));
  }

  /** The answer has left. */
  public TestCall hasLeft() {
    return hears(CallEvent.Closed.atOnce(Status.OK));
  }

  public void closes(Status status) {
    call().close(status, new Metadata());
    loop.runUntilIdle();
  }
}
