package dev.gannet.http2.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists that differ in a few fields share the rest, and say the same as if they did not. */
final class PatternsTest {
  private static final List<Indexing> INDEXINGS =
      List.of(Indexing.ALLOWED, Indexing.SKIPPED, Indexing.NEVER);

  private final HpackEncoder encoder = new HpackEncoder(4096);
  private final HpackDecoder decoder = new HpackDecoder(4096, 1 << 16, 1000);

  @Test
  void listsThatDifferInOneFieldShareAPattern() {
    for (int i = 0; i < 3; i++) {
      sends(call("/a", "timeout", "1" + i));
    }
    HeaderPattern pattern = sends(call("/a", "timeout", "20")).pattern().orElseThrow();
    HeaderList list = sends(call("/a", "timeout", "21"));
    assertThat(list.pattern()).containsSame(pattern);
    assertThat(pattern.openCount()).isEqualTo(1);
    assertThat(pattern.isOpen(2)).isTrue();
    assertThat(pattern.field(2).name()).isEqualTo("timeout");
    assertThat(list.own(0).value()).isEqualTo("21");
  }

  @Test
  void theSameFieldsGiveTheSameListThoughTheTableMoves() {
    HeaderList list = HeaderList.of(HeaderField.of("a", "1"), HeaderField.of("b", "2"));
    sends(list);
    sends(list);
    HeaderList known = sends(list);
    for (int i = 0; i < 300; i++) {
      sends(HeaderList.of(HeaderField.of("n", "v" + i)));
      assertThat(sends(list)).isSameAs(known);
    }
  }

  @Test
  void eachPathHasAPatternOfItsOwn() {
    for (int i = 0; i < 3; i++) {
      sends(call("/a", "timeout", "1" + i));
      sends(call("/b", "timeout", "2" + i));
    }
    HeaderPattern a = sends(call("/a", "timeout", "3")).pattern().orElseThrow();
    HeaderPattern b = sends(call("/b", "timeout", "3")).pattern().orElseThrow();
    assertThat(a.field(1).value()).isEqualTo("/a");
    assertThat(b.field(1).value()).isEqualTo("/b");
  }

  @Test
  void alternatingPathsKeepTheirPatterns() {
    for (int pair = 0; pair < 64; pair++) { // some of them share a row
      PatternsTest connection = new PatternsTest();
      List<String> paths = List.of("/a", "/" + pair);
      List<Optional<HeaderPattern>> patterns = List.of();
      for (int i = 0; i < 6; i++) {
        String timeout = "1" + i;
        List<Optional<HeaderPattern>> now =
            paths.stream()
                .map(it -> connection.sends(call(it, "timeout", timeout)).pattern())
                .toList();
        if (i > 3) {
          assertThat(now).as("pair %d", pair).isEqualTo(patterns).doesNotContain(Optional.empty());
        }
        patterns = now;
      }
      assertThat(patterns).doesNotHaveDuplicates();
    }
  }

  @Test
  void morePathsThanRowsStillHavePatterns() {
    for (int paths = 5; paths <= 32; paths++) {
      PatternsTest connection = new PatternsTest();
      int followed = 0;
      for (int i = 0; i < 20 * paths; i++) {
        HeaderList list = connection.sends(call("/" + i % paths, "timeout", "1" + i));
        followed += i >= 15 * paths && list.pattern().isPresent() ? 1 : 0;
      }
      assertThat(followed).as("%d paths", paths).isGreaterThan(5 * Math.min(paths, 12) / 2);
    }
  }

  @Test
  void pathsOfTheSameHashHavePatternsOfTheirOwn() {
    for (int i = 0; i < 6; i++) {
      sends(call("/GetAa", "timeout", "1" + i));
      sends(call("/GetBB", "timeout", "2" + i));
    }
    for (String path : List.of("/GetAa", "/GetBB")) {
      HeaderPattern pattern = sends(call(path, "timeout", "30")).pattern().orElseThrow();
      assertThat(pattern.field(1).value()).isEqualTo(path);
      assertThat(pattern.openCount()).isEqualTo(1);
    }
  }

  @Test
  void anotherAuthorityIsAnotherPattern() {
    for (int i = 0; i < 3; i++) {
      sends(call(":authority", "here", "timeout", "1" + i));
      sends(call(":authority", "there", "timeout", "2" + i));
    }
    HeaderPattern pattern =
        sends(call(":authority", "here", "timeout", "30")).pattern().orElseThrow();
    assertThat(pattern.openCount()).isEqualTo(1);
    assertThat(pattern.field(1).value()).isEqualTo("here");
  }

  @Test
  void aFieldThatDifferedOnceBecomesPartOfThePatternAgain() {
    for (int i = 0; i < 5; i++) {
      sends(call("/a", "kind", i == 3 ? "another" : "usual"));
    }
    HeaderList list = call("/a", "kind", "usual");
    assertThat(sends(list).pattern()).isPresent();
    for (int i = 0; i < 5_000; i++) {
      sends(HeaderList.of(HeaderField.of("moves", "the table " + i)));
      sends(list);
    }
    sends(HeaderList.of(HeaderField.of("moves", "the table again")));
    HeaderList received = sends(list);
    assertThat(received.pattern()).isEmpty();
    sends(HeaderList.of(HeaderField.of("moves", "the table once more")));
    assertThat(sends(list)).isSameAs(received);
  }

  @Test
  void anAttachmentOfAPatternIsCreatedOnce() {
    for (int i = 0; i < 3; i++) {
      sends(call("/a", "timeout", "1" + i));
    }
    HeaderPattern pattern = sends(call("/a", "timeout", "3")).pattern().orElseThrow();
    assertThat(pattern.attachment(Integer.class, HeaderPattern::size)).isEqualTo(4);
    assertThat(pattern.attachment(Integer.class, HeaderPattern::openCount)).isEqualTo(4);
  }

  @Test
  void listsThatDifferInMoreThanEightFieldsShareNoPattern() {
    for (int changing = 1; changing <= 10; changing++) {
      HeaderList last = HeaderList.EMPTY;
      for (int round = 0; round < 5; round++) {
        List<HeaderField> fields = new ArrayList<>();
        for (int i = 0; i < changing; i++) {
          fields.add(HeaderField.of("n" + i, "v" + round));
        }
        last = sends(HeaderList.of(fields));
      }
      assertThat(last.pattern().isPresent()).isEqualTo(changing <= 8);
    }
  }

  @Test
  void aSecretFieldIsNeverPartOfAPattern() {
    HeaderList list =
        HeaderList.of(
            HeaderField.of("n", "1"), HeaderField.of("authorization", "me", Indexing.NEVER));
    for (int i = 0; i < 4; i++) {
      sends(list);
    }
    HeaderList received = sends(list);
    HeaderPattern pattern = received.pattern().orElseThrow();
    assertThat(pattern.isOpen(1)).isTrue();
    assertThat(pattern.field(1).value()).isEmpty();
    assertThat(received.field(1).indexing()).isEqualTo(Indexing.NEVER);
    assertThat(sends(list)).isNotSameAs(received);
  }

  @Test
  void longListsHaveNoPattern() {
    assertThat(fifthOf(60, "").pattern()).isPresent();
    assertThat(fifthOf(65, "").pattern()).isEmpty();
    assertThat(fifthOf(2, "v".repeat(900)).pattern()).isPresent();
    assertThat(fifthOf(2, "v".repeat(1000)).pattern()).isEmpty();
  }

  private HeaderList fifthOf(int size, String value) {
    HeaderList last = HeaderList.EMPTY;
    for (int round = 0; round < 5; round++) {
      List<HeaderField> fields = new ArrayList<>();
      for (int i = 1; i < size; i++) {
        fields.add(HeaderField.of("n", value));
      }
      fields.add(HeaderField.of("n", value + round));
      last = sends(HeaderList.of(fields));
    }
    return last;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34})
  void listsWithPatternsContainTheSentFields(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 4_000; i++) {
      List<HeaderField> fields = new ArrayList<>();
      for (int n = random.nextInt(4); n < 5; n++) {
        boolean restless = random.nextInt(4) == 0;
        String name = n == 1 ? ":path" : "name" + n;
        String value = "v" + (restless ? random.nextInt(40) : n);
        Indexing indexing = INDEXINGS.get(random.nextInt(40) == 0 ? random.nextInt(3) : n % 3);
        fields.add(HeaderField.of(name, value, indexing));
      }
      HeaderList list = HeaderList.of(fields);
      HeaderList received = sends(list);
      assertThat(received.sizeBytes()).as("seed %d", seed).isEqualTo(list.sizeBytes());
      for (int n = 0; n < list.size(); n++) {
        boolean secret = list.field(n).indexing() == Indexing.NEVER;
        assertThat(received.field(n).indexing() == Indexing.NEVER)
            .as("seed %d, list %d, field %d", seed, i, n)
            .isEqualTo(secret);
      }
    }
  }

  private static HeaderList call(String path, String name, String value) {
    return call(":path", path, name, value);
  }

  private static HeaderList call(String pseudo, String pseudoValue, String name, String value) {
    return HeaderList.of(
        HeaderField.of(":method", "POST"),
        HeaderField.of(pseudo, pseudoValue),
        HeaderField.of(name, value),
        HeaderField.of("te", "trailers"));
  }

  private HeaderList sends(HeaderList list) {
    HeaderBlock out = new HeaderBlock();
    encoder.begin(out);
    encoder.encode(list, out);
    Decoded decoded = decoder.decode(Octets.block(out));
    assertThat(decoded).isEqualTo(list);
    return (HeaderList) decoded;
  }
}
