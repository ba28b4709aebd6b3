package dev.gannet.http2.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Lists over a limit cost their stream and leave the table right. */
final class ListLimitsTest {
  @Test
  void aListOfExactlyTheLimitsIsReturned() {
    HpackDecoder decoder = new HpackDecoder(4096, 2 * 42, 2); // :method: GET is 42 octets
    assertThat(decoder.decode(Octets.block("8282"))).isInstanceOf(HeaderList.class);
  }

  @Test
  void oneFieldTooManyIsTooLarge() {
    HpackDecoder decoder = new HpackDecoder(4096, 8192, 2);
    assertThat(decoder.decode(Octets.block("828282"))).isEqualTo(new Decoded.TooLarge(3 * 42, 3));
  }

  @Test
  void oneOctetTooManyIsTooLarge() {
    HpackDecoder decoder = new HpackDecoder(4096, 83, 100);
    assertThat(decoder.decode(Octets.block("8282"))).isEqualTo(new Decoded.TooLarge(84, 2));
  }

  @Test
  void referencesToOneEntryAreCountedEachTime() {
    HpackDecoder decoder = new HpackDecoder(4096, 8192, 128);
    decoder.decode(Octets.block("40" + Octets.literal("a") + "00"));
    assertThat(decoder.decode(Octets.block("be".repeat(5000))))
        .isEqualTo(new Decoded.TooLarge(5000 * 33, 5000));
  }

  @Test
  void aBlockOverTheLimitStillUpdatesTheTable() {
    HpackDecoder decoder = new HpackDecoder(4096, 8192, 1);
    String a = "40" + Octets.literal("a") + Octets.literal("1");
    String b = "40" + Octets.literal("b") + Octets.literal("2");
    assertThat(decoder.decode(Octets.block("82" + a + b))).isEqualTo(new Decoded.TooLarge(110, 3));
    assertThat(decoder.decode(Octets.block("be")))
        .isEqualTo(HeaderList.of(HeaderField.of("b", "2")));
    assertThat(decoder.decode(Octets.block("bf")))
        .isEqualTo(HeaderList.of(HeaderField.of("a", "1")));
  }

  @Test
  void aFieldTooLargeForTheListMayStillBeAnEntry() {
    HpackDecoder decoder = new HpackDecoder(4096, 100, 10);
    HpackEncoder encoder = new HpackEncoder(4096);
    HeaderField large = HeaderField.of("a", "v".repeat(200));
    assertThat(decoder.decode(Octets.block(encoded(encoder, large))))
        .isEqualTo(new Decoded.TooLarge(233, 1));
    assertThat(decoder.table().aged(0)).isEqualTo(large);
    assertThat(decoder.decode(Octets.block("be"))).isEqualTo(new Decoded.TooLarge(233, 1));
  }

  @Test
  void aFieldTooLargeForListAndTableEmptiesTheTable() {
    HpackDecoder decoder = new HpackDecoder(4096, 100, 10);
    decoder.decode(Octets.block("40" + Octets.literal("a") + Octets.literal("1")));
    HeaderBlock out = new HeaderBlock();
    out.writeInteger(0x40, 6, 0);
    out.writeShortestString("b");
    out.writeShortestString("v".repeat(5000));
    assertThat(decoder.decode(Octets.block(out))).isEqualTo(new Decoded.TooLarge(5033, 1));
    assertThat(decoder.table().count()).isZero();
    assertThat(decoder.decode(Octets.block("82"))).isInstanceOf(HeaderList.class);
  }

  @Test
  void aNameTooLargeForListAndTableIsCounted() {
    HpackDecoder decoder = new HpackDecoder(4096, 100, 10);
    HeaderBlock out = new HeaderBlock();
    out.writeInteger(0x40, 6, 0);
    out.writeShortestString("n".repeat(5000));
    out.writeString("v");
    assertThat(decoder.decode(Octets.block(out))).isEqualTo(new Decoded.TooLarge(5033, 1));
    assertThat(decoder.table().count()).isZero();
  }

  @Test
  void aLargeValueOutsideTheTableIsCounted() {
    HpackDecoder decoder = new HpackDecoder(4096, 100, 10);
    HpackEncoder encoder = new HpackEncoder(4096);
    HeaderField raw = HeaderField.of("a", "\u00ff".repeat(100_000), Indexing.SKIPPED);
    HeaderField coded = HeaderField.of("a", "a".repeat(100_000), Indexing.NEVER);
    assertThat(decoder.decode(Octets.block(encoded(encoder, raw))))
        .isEqualTo(new Decoded.TooLarge(100_033, 1));
    assertThat(decoder.decode(Octets.block(encoded(encoder, coded))))
        .isEqualTo(new Decoded.TooLarge(100_033, 1));
  }

  @Test
  void aLargeHuffmanValueWithinTheLimitsIsReturned() {
    HpackDecoder decoder = new HpackDecoder(4096, 1 << 20, 10);
    HpackEncoder encoder = new HpackEncoder(4096);
    for (int length : new int[] {300, 3000, 30_000, 5}) {
      HeaderField field = HeaderField.of("a", "aeiou".repeat(length), Indexing.SKIPPED);
      assertThat(decoder.decode(Octets.block(encoded(encoder, field))))
          .isEqualTo(HeaderList.of(field));
    }
  }

  @Test
  void theSizeOfAListIsCappedAtTheLargestInt() {
    ListGatherer list = new ListGatherer(100, 10);
    list.start();
    for (int i = 0; i < 3; i++) {
      list.count(Integer.MAX_VALUE);
    }
    assertThat(list.finish()).isEqualTo(new Decoded.TooLarge(Integer.MAX_VALUE, 3));
  }

  @Test
  void manyFieldsWithinTheLimitsAreReturnedInOrder() {
    HpackDecoder decoder = new HpackDecoder(4096, 1 << 16, 100);
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      hex.append("00").append(Octets.literal("n")).append(Octets.literal(Integer.toString(i)));
    }
    HeaderList list = (HeaderList) decoder.decode(Octets.block(hex.toString()));
    assertThat(list.size()).isEqualTo(100);
    for (int i = 0; i < 100; i++) {
      assertThat(list.field(i).value()).isEqualTo(Integer.toString(i));
    }
  }

  private static String encoded(HpackEncoder encoder, HeaderField field) {
    HeaderBlock out = new HeaderBlock();
    encoder.begin(out);
    encoder.encode(field, out);
    return Octets.hex(out);
  }
}
