package dev.gannet.suites;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.server.CallCounts;
import dev.gannet.server.Server;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A headers interceptor decides before anything of the request is read, however the request comes.
 */
final class RefusedByHeadersTest {
  private final List<String> parsed = new ArrayList<>();

  /** Text that does not begin with "bad". */
  private final class Watched implements Marshaller<String> {
    @Override
    public void write(String message, MessageSink sink) {
      byte[] bytes = message.getBytes(ISO_8859_1);
      sink.reserve(bytes.length).put(bytes);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      String text = ISO_8859_1.decode(bytes).toString();
      parsed.add(text);
      if (text.startsWith("bad")) {
        throw new IllegalArgumentException(text);
      }
      return text;
    }
  }

  private static byte[] frame(int type, int flags, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .putInt(payload.length << 8 | type)
        .put((byte) flags)
        .putInt(1)
        .put(payload)
        .array();
  }

  private static byte[] message(String text, int statedBytes) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    return ByteBuffer.allocate(5 + bytes.length)
        .put((byte) 0)
        .putInt(statedBytes)
        .put(bytes)
        .array();
  }

  private static byte[] together(byte[] one, byte[] other) {
    return ByteBuffer.allocate(one.length + other.length).put(one).put(other).array();
  }

  @ParameterizedTest
  @CsvSource({
    "UNARY, hello, 5",
    "UNARY, bad, 3",
    "UNARY, too long, 50000000",
    "UNARY, torn, 9",
    "BIDI_STREAMING, hello, 5",
    "BIDI_STREAMING, bad, 3",
    "BIDI_STREAMING, too long, 50000000",
    "BIDI_STREAMING, torn, 9"
  })
  void theStatusIsThatOfTheInterceptorAlsoIfHeadersAndDataComeTogether(
      MethodType type, String text, int statedBytes) {
    MethodDescriptor<String, String> method =
        MethodDescriptor.of(type, "test.Texts/Watched", new Watched(), new Watched());
    Simulation simulation = new Simulation().with(method, new HeldCalls());
    Server server =
        Simulation.start(
            simulation
                .serverBuilder()
                .countCalls()
                .interceptHeaders((call, headers) -> {
                  throw Status.UNAUTHENTICATED.asException();
                }));
    RawClient client = RawClient.introduced(simulation);
    byte[] headers =
        frame(RawClient.HEADERS, RawClient.END_HEADERS, RawClient.request("/test.Texts/Watched"));
    byte[] data = frame(RawClient.DATA, RawClient.END_STREAM, message(text, statedBytes));
    client.says(together(headers, data));
    simulation.run();
    assertThat(parsed).isEmpty();
    assertThat(client.heard(RawClient.HEADERS)).hasSize(1);
    CallCounts counts =
        Objects.requireNonNull(server.snapshot().methods().get(method.fullMethodName()));
    assertThat(counts.ended()).containsExactly(Map.entry(Status.Code.UNAUTHENTICATED, 1L));
  }
}
