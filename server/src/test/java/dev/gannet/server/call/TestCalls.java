package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.settings.CallBounds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Methods whose messages are texts, and calls of them. */
public final class TestCalls {
  /** What no message may be: the marshaller throws. */
  public static final String UNPARSABLE = "unparsable";

  private TestCalls() {}

  private record Text() implements Marshaller<String> {
    @Override
    public void write(String message, MessageSink sink) {
      byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
      sink.reserve(bytes.length).put(bytes);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      String text = StandardCharsets.ISO_8859_1.decode(bytes).toString();
      if (text.equals(UNPARSABLE)) {
        throw new IllegalArgumentException(text);
      }
      return text;
    }
  }

  public static MethodDescriptor<String, String> method(MethodType type) {
    return method(type, "pkg.Service/Method");
  }

  public static MethodDescriptor<String, String> method(MethodType type, String name) {
    return MethodDescriptor.of(type, name, new Text(), new Text());
  }

  public static ServerMethodDefinition<String, String> served(
      MethodType type, ServerCallHandler<String, String> handler) {
    return ServerMethodDefinition.of(method(type), handler);
  }

  /** A call on an event loop whose handler does nothing but that, when it begins. */
  public static IncomingCall<String, String> beginningWith(Runnable begin, HandlerRunner runner) {
    FakeServerStream stream = new FakeServerStream();
    stream.onLoop = true;
    ServerMethodDefinition<String, String> method =
        served(
            MethodType.BIDI_STREAMING,
            (call, headers) -> {
              begin.run();
              return new Silent();
            });
    return incoming(method, stream, runner);
  }

  public static IncomingCall<String, String> incoming(
      ServerMethodDefinition<String, String> method,
      ServerStream<String> stream,
      HandlerRunner runner) {
    return observed(method, stream, runner, List.of());
  }

  /** A call with these observers. */
  static IncomingCall<String, String> observed(
      ServerMethodDefinition<String, String> method,
      ServerStream<String> stream,
      HandlerRunner runner,
      List<CallObserver> observers) {
    List<CallObserver.Factory> factories = new ArrayList<>();
    observers.forEach(it -> factories.add(() -> it));
    IncomingCall<String, String> call =
        new ServedMethod<>(
                method,
                () -> runner,
                CallBounds.DEFAULT,
                new Draining(),
                Optional.empty(),
                factories)
            .begin(stream);
    assertThat(call.onBegun()).isEqualTo(CallAdmission.ADMITTED);
    return call;
  }

  private record Silent() implements ServerCall.Listener<String> {}
}
