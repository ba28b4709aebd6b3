package dev.gannet.http2.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What is hung onto fields and lists stays there; repeated blocks give the same list. */
final class KeptAttachmentTest {
  private static final String A = "40" + Octets.literal("a") + Octets.literal("1");

  private final HpackDecoder decoder = new HpackDecoder(4096, 8192, 300);
  private int made;

  @Test
  void anAttachmentIsCreatedOnceForEachTableEntry() {
    Object first = decode(A).field(0).attachment(Object.class, this::make);
    assertThat(decode("be").field(0).attachment(Object.class, this::make)).isSameAs(first);
    assertThat(decode("82be").field(1).attachment(Object.class, this::make)).isSameAs(first);
    assertThat(made).isEqualTo(1);
  }

  @Test
  void staticFieldsKeepTheirAttachmentForOneConnectionOnly() {
    Object here = decode("82").field(0).attachment(Object.class, this::make);
    assertThat(decode("8286").field(0).attachment(Object.class, this::make)).isSameAs(here);
    HpackDecoder other = new HpackDecoder(4096, 8192, 100);
    HeaderList there = (HeaderList) other.decode(Octets.block("82"));
    assertThat(there.field(0).attachment(Object.class, this::make)).isNotSameAs(here);
  }

  @Test
  void evictingAnEntryRemovesItsAttachment() {
    Object first = decode(A).field(0).attachment(Object.class, this::make);
    decode("20 3fe11f" + A);
    assertThat(decode("be").field(0).attachment(Object.class, this::make)).isNotSameAs(first);
  }

  @Test
  void aRepeatedBlockIsTheSameListWithItsAttachment() {
    decode(A);
    decode("8286be");
    HeaderList first = decode("8286be");
    Object attachment = first.attachment(Object.class, this::make);
    HeaderList again = decode("8286be");
    assertThat(again).isSameAs(first);
    assertThat(again.attachment(Object.class, this::make)).isSameAs(attachment);
    assertThat(made).isEqualTo(1);
  }

  @Test
  void afterAChangeOfTheTableTheSameOctetsAreANewList() {
    decode(A);
    HeaderList before = decode("8286be");
    decode("40" + Octets.literal("b") + Octets.literal("2"));
    HeaderList after = decode("8286be");
    assertThat(before.field(2)).isEqualTo(HeaderField.of("a", "1"));
    assertThat(after.field(2)).isEqualTo(HeaderField.of("b", "2"));
  }

  @Test
  void afterAChangeOfTheCapacityTheSameOctetsAreANewList() {
    HeaderList before = decode("8286");
    decode("3f04");
    assertThat(decode("8286")).isNotSameAs(before).isEqualTo(before);
  }

  @Test
  void anOversizeEntryEndsRepetitionToo() {
    decode("3f04" + A);
    HeaderList before = decode("be");
    decode("40" + Octets.literal("longer") + Octets.literal("1"));
    assertThat(before).hasSize(1);
    assertThat(decoder.decode(Octets.block("be"))).isInstanceOf(Decoded.Broken.class);
  }

  @Test
  void aRepeatedBlockMayHaveLiteralsThatAreNotIndexed() {
    String skipped = "82 00" + Octets.literal("a") + Octets.literal("1");
    decode(skipped);
    HeaderList first = decode(skipped);
    assertThat(decode(skipped)).isSameAs(first);
  }

  @Test
  void aListWithASecretIsAlwaysANewOne() {
    String secret = "82 10" + Octets.literal("a") + Octets.literal("1");
    for (int i = 0; i < 5; i++) {
      assertThat(decode(secret)).isNotSameAs(decode(secret));
      assertThat(decode(secret).field(1)).isNotSameAs(decode(secret).field(1));
    }
  }

  @Test
  void aBlockWithASizeUpdateIsAlwaysANewList() {
    assertThat(decode("3fe11f82")).isNotSameAs(decode("3fe11f82"));
  }

  @Test
  void longBlocksAndThoseOfLongListsAreNotRemembered() {
    HeaderList shortList = HeaderList.of(HeaderField.of("n", "v"));
    assertThat(isRemembered(256, shortList)).isTrue();
    assertThat(isRemembered(257, shortList)).isFalse();
    assertThat(isRemembered(10, HeaderList.of(HeaderField.of("n", "v".repeat(2015))))).isTrue();
    assertThat(isRemembered(10, HeaderList.of(HeaderField.of("n", "v".repeat(2016))))).isFalse();
  }

  private static boolean isRemembered(int length, HeaderList list) {
    RepeatedBlocks blocks = new RepeatedBlocks();
    byte[] octets = new byte[length];
    blocks.offer(octets, 0, length, list, 0);
    blocks.offer(octets, 0, length, list, 0);
    return blocks.find(octets, 0, length, 0) != RepeatedBlocks.UNKNOWN;
  }

  @Test
  void aListOverTheLimitsIsNeverRemembered() {
    HpackDecoder small = new HpackDecoder(4096, 8192, 1);
    assertThat(small.decode(Octets.block("8282"))).isEqualTo(new Decoded.TooLarge(84, 2));
    assertThat(small.decode(Octets.block("8282"))).isEqualTo(new Decoded.TooLarge(84, 2));
  }

  @Test
  void manyDifferentBlocksAreStillDecodedCorrectly() {
    for (int round = 0; round < 3; round++) {
      for (int first = 1; first <= 61; first++) {
        for (int second = 1; second <= 61; second++) {
          String hex = String.format("%02x%02x", 0x80 | first, 0x80 | second);
          HeaderList list = decode(hex);
          assertThat(list.field(0).name()).isEqualTo(StaticTable.name(first));
          assertThat(list.field(1).value()).isEqualTo(StaticTable.value(second));
        }
      }
    }
  }

  @Test
  void aShorterBlockInThePlaceOfALongerOneIsDistinguished() {
    RepeatedBlocks blocks = new RepeatedBlocks();
    byte[] octets = Octets.bytes("82".repeat(200));
    for (int length = 200; length > 0; length--) {
      HeaderList list = HeaderList.of(HeaderField.of("n", Integer.toString(length)));
      blocks.offer(octets, 0, length, list, 0);
      blocks.offer(octets, 0, length, list, 0);
      int place = blocks.find(octets, 0, length, 0);
      assertThat(blocks.list(place)).isSameAs(list);
    }
    assertThat(blocks.find(octets, 0, 1, 1)).isEqualTo(RepeatedBlocks.UNKNOWN);
  }

  private HeaderList decode(String hex) {
    Decoded decoded = decoder.decode(Octets.block(hex));
    assertThat(decoded).isInstanceOf(HeaderList.class);
    return (HeaderList) decoded;
  }

  private Object make(Object of) {
    made++;
    return new AtomicReference<>(of);
  }
}
