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
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request's head is the same whether its list was read as a whole or by its pattern. */
final class RequestHeadTest {
  private static final Metadata.Key<String> USER = Metadata.Key.ascii("user");
  private static final Metadata.Key<byte[]> BINARY = Metadata.Key.binary("some-bin");

  private static final HeaderField TOKEN = HeaderField.of("some-bin", "AQID");
  private static final HeaderField GRPC = HeaderField.of("content-type", "application/grpc");

  private final HpackEncoder encoder = new HpackEncoder(4096);
  private final HpackDecoder decoder = new HpackDecoder(4096, 1 << 16, 100);

  @Test
  void callsThatDifferOnlyInTheirTimeoutShareTheirHead() {
    warm();
    HeaderList first = call("1S", "me");
    HeaderList second = call("2S", "me");
    assertThat(headOf(second)).isSameAs(headOf(first));
    assertThat(headOf(first).timeoutNanos(first)).hasValue(1_000_000_000L);
    assertThat(headOf(second).timeoutNanos(second)).hasValue(2_000_000_000L);
    assertThat(metadataOf(second).toStringWithValues()).isEqualTo("Metadata(user=me)");
  }

  @Test
  void callsThatDifferOnlyInTheirMetadataShareTheirHead() {
    warm();
    HeaderList first = call("1S", "you");
    HeaderList second = call("2S", "them");
    assertThat(headOf(second)).isSameAs(headOf(first));
    assertThat(metadataOf(first).get(USER)).hasValue("you");
    assertThat(metadataOf(second).get(USER)).hasValue("them");
  }

  @Test
  void aTimeoutThatIsPartOfThePatternIsReadForEachList() {
    for (int i = 0; i < 4; i++) {
      call("5S", "user " + i);
    }
    HeaderList list = call("5S", "me");
    assertThat(headOf(list).timeoutNanos(list)).hasValue(5_000_000_000L);
    assertThat(metadataOf(list).get(USER)).hasValue("me");
  }

  @Test
  void twoTimeoutsThatDifferAreNoCallAlsoInAKnownPattern() {
    for (int i = 0; i < 5; i++) {
      assertThat(RequestProtocols.GRPC.headOf(received(withTimeouts(i + "S", "7S"))))
          .isInstanceOf(RequestHead.NotACall.class);
    }
    HeaderList list = received(withTimeouts("7S", "7S"));
    assertThat(headOf(list).timeoutNanos(list)).hasValue(7_000_000_000L);
  }

  @Test
  void anEmptyTimeoutIsMalformed() {
    for (int i = 0; i < 5; i++) {
      HeaderList list = received(withTimeouts(i + "S", ""));
      assertThat(RequestProtocols.GRPC.headOf(list)).isInstanceOf(RequestHead.NotACall.class);
    }
  }

  @Test
  void valuesJoinedByCommasAreCountedForTheWholeList() {
    assertThat(metadataOf(withJoined(4, 64)).getAll(BINARY)).hasSize(256);
    assertThat(RequestProtocols.GRPC.headOf(withJoined(5, 64)))
        .isInstanceOf(RequestHead.Refused.class);
    assertThat(RequestProtocols.GRPC.headOf(withJoined(1, 257)))
        .isInstanceOf(RequestHead.Refused.class);
    assertThat(metadataOf(withJoined(300, 1)).getAll(BINARY)).hasSize(300);
  }

  @Test
  void changingTheMetadataOfACallAffectsNoOtherCall() {
    warm();
    HeaderList call = call("1S", "me");
    Metadata changed = metadataOf(call);
    changed.add(USER, "you");
    changed.removeAll(Metadata.Key.ascii("nothing"));
    assertThat(metadataOf(call).getAll(USER)).containsExactly("me");
    assertThat(metadataOf(call("1S", "me")).getAll(USER)).containsExactly("me");
  }

  @Test
  void changingABinaryValueAffectsNoOtherReader() {
    HeaderList list = withJoined(2, 2);
    metadataOf(list).removeAll(BINARY);
    assertThat(metadataOf(list).getAll(BINARY)).hasSize(4);
    HeaderList sent = HeaderList.of(HeaderField.of(":method", "POST"), TOKEN, GRPC);
    Arrays.fill(metadataOf(sent).get(BINARY).orElseThrow(), (byte) 0);
    Arrays.fill(metadataOf(sent).getAll(BINARY).getFirst(), (byte) 0);
    assertThat(metadataOf(sent).get(BINARY)).hasValue(new byte[] {1, 2, 3});
  }

  @Test
  void aMalformedTimeoutIsNoCallAlsoInAKnownPattern() {
    warm();
    assertThat(RequestProtocols.GRPC.headOf(call("soon", "me")))
        .isInstanceOf(RequestHead.NotACall.class);
    assertThat(RequestProtocols.GRPC.headOf(call("2S", "me"))).isInstanceOf(RequestHead.Call.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 13})
  void anyListIsReadAsIfItHadNoPattern(long seed) {
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
        fields.add(HeaderField.of("grpc-encoding", random.nextBoolean() ? "gzip" : "identity"));
        fields.add(HeaderField.of("grpc-encoding", "gzip"));
      }
      if (rarely(random)) {
        fields.add(HeaderField.of("id-bin", "AAAA,BBBB"));
        fields.add(HeaderField.of("grpc-timeout", "7S"));
      }
      HeaderList whole = HeaderList.of(fields);
      assertThat(words(received(whole))).as("seed %d: %s", seed, whole).isEqualTo(words(whole));
    }
  }

  private static int n(Random random) {
    return 2 * random.nextInt(2);
  }

  private static boolean rarely(Random random) {
    return random.nextInt(20) == 0;
  }

  /** All that is understood of a list. */
  private static String words(HeaderList list) {
    return switch (RequestProtocols.GRPC.headOf(list)) {
      case RequestHead.NotACall other -> other.toString();
      case RequestHead.Refused refused -> refused.toString();
      case RequestHead.Call call ->
          call.path()
              + call.authority()
              + call.encoding()
              + call.timeoutNanos(list)
              + call.metadata(list);
    };
  }

  private static RequestHead.Call headOf(HeaderList list) {
    return (RequestHead.Call) RequestProtocols.GRPC.headOf(list);
  }

  private static Metadata metadataOf(HeaderList list) {
    return headOf(list).metadata(list);
  }

  /** Sends enough that timeout and user are known to differ from call to call. */
  private void warm() {
    for (int i = 0; i < 4; i++) {
      call("5" + i + "m", "user " + i);
    }
  }

  private HeaderList call(String timeout, String user) {
    return received(
        HeaderList.of(
            HeaderField.of(":method", "POST"),
            HeaderField.of(":path", "/a/B"),
            HeaderField.of("content-type", "application/grpc"),
            HeaderField.of("user", user),
            HeaderField.of("grpc-timeout", timeout)));
  }

  private static HeaderList withTimeouts(String first, String second) {
    return HeaderList.of(
        HeaderField.of(":method", "POST"),
        HeaderField.of(":path", "/a/B"),
        HeaderField.of("content-type", "application/grpc"),
        HeaderField.of("grpc-timeout", first),
        HeaderField.of("grpc-timeout", second));
  }

  private static HeaderList withJoined(int fields, int valuesOfEach) {
    List<HeaderField> all = new ArrayList<>();
    all.add(HeaderField.of(":method", "POST"));
    all.add(HeaderField.of(":path", "/a/B"));
    all.add(HeaderField.of("content-type", "application/grpc"));
    for (int i = 0; i < fields; i++) {
      all.add(HeaderField.of(BINARY.name(), ",".repeat(valuesOfEach - 1)));
    }
    return HeaderList.of(all);
  }

  private HeaderList received(HeaderList sent) {
    HeaderBlock out = new HeaderBlock();
    encoder.begin(out);
    encoder.encode(sent, out);
    return (HeaderList) decoder.decode(ByteBuffer.wrap(out.array(), 0, out.length()));
  }
}
