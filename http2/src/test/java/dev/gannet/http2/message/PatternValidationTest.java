package dev.gannet.http2.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.hpack.HeaderBlock;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HpackDecoder;
import dev.gannet.http2.hpack.HpackEncoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lists have in common is judged once, and what is their own each time. */
final class PatternValidationTest {
  private static final List<List<HeaderField>> CHOICES =
      List.of(
          List.of(HeaderField.of(":method", "POST"), HeaderField.of(":method", "CONNECT")),
          List.of(HeaderField.of(":scheme", "http"), HeaderField.of(":scheme", "no scheme")),
          List.of(HeaderField.of(":path", "/a/b")),
          List.of(
              HeaderField.of(":authority", "a"),
              HeaderField.of(":authority", "b@a"),
              HeaderField.of(":authority", "")),
          List.of(HeaderField.of("host", "a"), HeaderField.of("host", "a b")),
          List.of(HeaderField.of("te", "trailers"), HeaderField.of("te", "gzip")),
          List.of(HeaderField.of("timeout", "1S"), HeaderField.of("timeout", "2S")),
          List.of(HeaderField.of("id", "1"), HeaderField.of("id", "2 "), HeaderField.of("id", "3")),
          List.of(HeaderField.of("content-length", "5"), HeaderField.of("content-length", "6")));

  private final HpackEncoder encoder = new HpackEncoder(4096);
  private final HpackDecoder decoder = new HpackDecoder(4096, 1 << 16, 1000);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aListWithAPatternIsValidatedLikeOneWithout(long seed) {
    Random random = new Random(seed);
    int patterns = 0;
    for (int i = 0; i < 2000; i++) {
      List<HeaderField> fields = someFields(random);
      HeaderList received = sent(HeaderList.of(fields));
      patterns += received.pattern().isPresent() ? 1 : 0;
      assertSame(received, HeaderList.of(fields), seed);
    }
    assertThat(patterns).as("lists of a pattern").isGreaterThan(20);
  }

  private static void assertSame(HeaderList received, HeaderList alone, long seed) {
    for (MessagePart part : MessagePart.values()) {
      assertThat(MessageFields.of(received).flawAs(part))
          .as("seed %d: %s as %s", seed, alone, part)
          .isEqualTo(MessageFields.of(alone).flawAs(part));
    }
    assertThat(MessageFields.of(received).contentLength())
        .as("seed %d: %s", seed, alone)
        .isEqualTo(MessageFields.of(alone).contentLength());
  }

  /** Mostly the first choices, and now and then another, so that most lists are alike. */
  private static List<HeaderField> someFields(Random random) {
    List<HeaderField> fields = new ArrayList<>();
    for (List<HeaderField> choice : CHOICES) {
      int other = random.nextInt(6) == 0 ? random.nextInt(choice.size()) : 0;
      fields.add(choice.get(other));
    }
    if (random.nextInt(8) == 0) {
      fields.addFirst(fields.remove(random.nextInt(fields.size())));
    }
    return fields;
  }

  private HeaderList sent(HeaderList list) {
    HeaderBlock block = new HeaderBlock();
    encoder.begin(block);
    encoder.encode(list, block);
    ByteBuffer octets = ByteBuffer.wrap(block.array(), 0, block.length());
    return (HeaderList) decoder.decode(octets);
  }
}
