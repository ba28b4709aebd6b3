package dev.gannet.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.http2.hpack.HeaderBlock;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HpackDecoder;
import dev.gannet.http2.hpack.HpackEncoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request's head is the same whether its list was read as a whole or by its pattern. */
final class RequestHeadTest {
  private static final Metadata.Key<String> USER = Metadata.Key.ascii("user");

  private final HpackEncoder encoder = new HpackEncoder(4096);
  private final HpackDecoder decoder = new HpackDecoder(4096, 1 << 16, 100);

  @Test
  void callsThatDifferInTheirTimeoutShareTheRest() {
    RequestHead.Call first = warmCall("1S", "me");
    RequestHead.Call second = call("2S", "me");
    assertThat(first.timeoutNanos()).hasValue(1_000_000_000L);
    assertThat(second.timeoutNanos()).hasValue(2_000_000_000L);
    assertThat(second.pathField()).isSameAs(first.pathField());
    assertThat(second.metadata().toString()).isEqualTo("Metadata(user=me)");
  }

  @Test
  void aListThatComesBackIsTheSameHead() {
    warmCall("1S", "me");
    RequestHead second = call("1S", "me");
    call("2S", "me");
    assertThat(call("1S", "me")).isSameAs(second);
  }

  @Test
  void metadataThatDiffersStandsInItsPlace() {
    warmCall("1S", "me");
    assertThat(call("2S", "you").metadata().get(USER)).hasValue("you");
    assertThat(call("3S", "them").metadata().get(USER)).hasValue("them");
  }

  @Test
  void aCallThatChangesItsMetadataChangesNoOther() {
    RequestHead.Call call = warmCall("1S", "me");
    Metadata changed = call.metadata();
    changed.put(USER, "you");
    changed.removeAll(Metadata.Key.ascii("nothing"));
    assertThat(call.metadata().getAll(USER)).containsExactly("me");
    assertThat(call("1S", "me").metadata().getAll(USER)).containsExactly("me");
  }

  @Test
  void aMalformedTimeoutIsRejectedAlsoInAKnownPattern() {
    warmCall("1S", "me");
    assertThat(head("soon", "me")).isInstanceOf(RequestHead.Rejected.class);
    assertThat(head("2S", "me")).isInstanceOf(RequestHead.Call.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 13})
  void everyListIsReadAsItsFieldsAre(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      List<HeaderField> fields = new ArrayList<>();
      fields.add(HeaderField.of(":method", rarely(random) ? "GET" : "POST"));
      fields.add(HeaderField.of(":path", random.nextBoolean() ? "/a/B" : "/a/C"));
      fields.add(HeaderField.of(":authority", rarely(random) ? "" : "here"));
      fields.add(HeaderField.of("content-type", rarely(random) ? "text/html" : "application/grpc"));
      if (random.nextBoolean()) {
        fields.add(HeaderField.of("grpc-timeout", rarely(random) ? "x" : random.nextInt(9) + "S"));
      }
      for (int n = random.nextInt(4); n > 0; n--) {
        fields.add(HeaderField.of("user", "u" + random.nextInt(3)));
      }
      fields.add(HeaderField.of("host", "there"));
      fields.add(HeaderField.of("id-bin", rarely(random) ? "?" : "AA" + "A".repeat(n(random))));
      if (rarely(random)) {
        fields.add(HeaderField.of("id-bin", "AAAA,BBBB"));
        fields.add(HeaderField.of("grpc-timeout", "7S"));
      }
      HeaderList whole = HeaderList.of(fields);
      assertThat(words(RequestHead.of(received(whole))))
          .as("seed %d: %s", seed, whole)
          .isEqualTo(words(RequestHead.of(whole)));
    }
  }

  private static int n(Random random) {
    return 2 * random.nextInt(2);
  }

  private static boolean rarely(Random random) {
    return random.nextInt(20) == 0;
  }

  /** All that a head says. */
  private static String words(RequestHead head) {
    return switch (head) {
      case RequestHead.Rejected rejected -> rejected.toString();
      case RequestHead.Refused refused -> refused.toString();
      case RequestHead.Call call ->
          call.path() + call.authority() + call.encoding() + call.timeoutNanos() + call.metadata();
    };
  }

  private RequestHead.Call warmCall(String timeout, String user) {
    for (int i = 0; i < 4; i++) {
      call("5" + i + "m", user);
    }
    return call(timeout, user);
  }

  private RequestHead.Call call(String timeout, String user) {
    return (RequestHead.Call) head(timeout, user);
  }

  private RequestHead head(String timeout, String user) {
    return RequestHead.of(
        received(
            HeaderList.of(
                HeaderField.of(":method", "POST"),
                HeaderField.of(":path", "/a/B"),
                HeaderField.of("content-type", "application/grpc"),
                HeaderField.of("user", user),
                HeaderField.of("grpc-timeout", timeout))));
  }

  private HeaderList received(HeaderList sent) {
    HeaderBlock out = new HeaderBlock();
    encoder.begin(out);
    encoder.encode(sent, out);
    return (HeaderList) decoder.decode(ByteBuffer.wrap(out.array(), 0, out.length()));
  }
}
