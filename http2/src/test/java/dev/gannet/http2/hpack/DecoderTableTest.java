package dev.gannet.http2.hpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The decoder's dynamic table: eviction, size updates, shared entries (RFC 7541 §4). */
final class DecoderTableTest {
  private final HpackDecoder decoder = new HpackDecoder(4096, 8192, 100);

  @Test
  void theOldestEntryIsEvictedFirst() {
    decode("3f29" + entry("a", "1") + entry("b", "2")); // 72 octets hold two entries of 34
    decode(entry("c", "3"));
    assertThat(decode("bebf")).map(HeaderField::name).containsExactly("c", "b");
    assertThat(decoder.table().count()).isEqualTo(2);
    assertThat(decoder.decode(Octets.block("c0"))).isInstanceOf(Decoded.Broken.class);
  }

  @Test
  void anEntryOfTheSizeOfTheTableFillsIt() {
    decode("3f03" + entry("a", "1"));
    decode(entry("b", "2"));
    assertThat(decoder.table().sizeBytes()).isEqualTo(34);
    assertThat(decode("be")).map(HeaderField::name).containsExactly("b");
  }

  @Test
  void anEntryLargerThanTheTableEmptiesItAndIsStillReturned() {
    decode("3f03" + entry("a", "1"));
    assertThat(decode(entry("long", "1"))).map(HeaderField::toString).containsExactly("long: 1");
    assertThat(decoder.table().count()).isZero();
    assertThat(decoder.table().sizeBytes()).isZero();
  }

  @Test
  void aNewEntryMayTakeItsNameFromTheEntryItEvicts() {
    decode("3f03" + entry("a", "1"));
    assertThat(decode("7e" + Octets.literal("2")))
        .map(HeaderField::toString)
        .containsExactly("a: 2");
    assertThat(decode("be")).map(HeaderField::toString).containsExactly("a: 2");
  }

  @Test
  void aSmallerSizeEvictsAtOnce() {
    decode(entry("a", "1") + entry("b", "2") + entry("c", "3"));
    decode("3f04");
    assertThat(decoder.table().count()).isEqualTo(1);
    assertThat(decode("be")).map(HeaderField::name).containsExactly("c");
  }

  @Test
  void shrinkingTheTableToZeroAndBackEmptiesIt() {
    decode(entry("a", "1"));
    decode("20 3fe11f 82");
    assertThat(decoder.table().count()).isZero();
    assertThat(decoder.table().capacityBytes()).isEqualTo(4096);
  }

  @Test
  void aBlockMayContainOnlySizeUpdates() {
    assertThat(decode("3fe11f")).isEmpty();
    assertThat(decode("")).isEmpty();
  }

  @Test
  void aPeerThatHasNotAcknowledgedOurSmallerSettingMayUseTheFirstTable() {
    HpackDecoder small = new HpackDecoder(0, 8192, 100);
    assertThat(small.decode(Octets.block(entry("a", "1") + "be"))).isInstanceOf(HeaderList.class);
    assertThat(small.decode(Octets.block("3fe10f"))).isInstanceOf(HeaderList.class);
    assertThat(small.table().capacityBytes()).isEqualTo(2048);
    assertThat(small.decode(Octets.block("3fe21f")))
        .isEqualTo(HeaderBlockFault.SIZE_UPDATE_TOO_LARGE.broken());
  }

  @Test
  void aPeerThatHasAcknowledgedOurSmallerSettingMustObeyIt() {
    HpackDecoder small = new HpackDecoder(0, 8192, 100);
    small.onSettingsAcknowledged();
    assertThat(small.decode(Octets.block("2082"))).isInstanceOf(HeaderList.class);
    assertThat(small.decode(Octets.block("82"))).isInstanceOf(HeaderList.class);
    assertThat(small.decode(Octets.block("21")))
        .isEqualTo(HeaderBlockFault.SIZE_UPDATE_TOO_LARGE.broken());
  }

  @Test
  void afterTheAcknowledgementATooLargeTableMustShrinkFirst() {
    for (String block : new String[] {"", "82", "40" + Octets.literal("a") + Octets.literal("1")}) {
      HpackDecoder small = new HpackDecoder(100, 8192, 100);
      small.decode(Octets.block("82"));
      small.onSettingsAcknowledged();
      assertThat(small.decode(Octets.block(block)))
          .isEqualTo(HeaderBlockFault.SIZE_UPDATE_MISSING.broken());
    }
  }

  @Test
  void aLargerSettingCountsOnceThePeerAnnouncesIt() {
    HpackDecoder large = new HpackDecoder(65_536, 8192, 100);
    assertThat(large.table().capacityBytes()).isEqualTo(4096);
    assertThat(large.decode(Octets.block("3fe1ff03"))).isInstanceOf(HeaderList.class);
    assertThat(large.table().capacityBytes()).isEqualTo(65_536);
  }

  @Test
  void aFullTableKeepsItsOrder() {
    for (int i = 0; i < 300; i++) {
      decode(entry("n", String.format("%03d", i)));
    }
    DynamicTable table = decoder.table();
    assertThat(table.count()).isEqualTo(4096 / 36);
    for (int age = 0; age < table.count(); age++) {
      assertThat(table.aged(age).value()).isEqualTo(String.format("%03d", 299 - age));
    }
  }

  @Test
  void onlyIncrementalIndexingEntersTheTable() {
    decode("00" + Octets.literal("a") + Octets.literal("1"));
    decode("10" + Octets.literal("b") + Octets.literal("2"));
    assertThat(decoder.table().count()).isZero();
  }

  @Test
  void aFieldKeepsTheIndexingOfItsRepresentation() {
    HeaderList list =
        decode(
            "82"
                + entry("a", "1")
                + ("00" + Octets.literal("b") + Octets.literal("2"))
                + ("10" + Octets.literal("c") + Octets.literal("3")));
    assertThat(list)
        .map(HeaderField::indexing)
        .containsExactly(Indexing.ALLOWED, Indexing.ALLOWED, Indexing.SKIPPED, Indexing.NEVER);
  }

  @Test
  void listsShareTheEntryTheyReferTo() {
    HeaderField first = decode(entry("a", "1")).field(0);
    HeaderList second = decode("82be");
    assertThat(second.field(1)).isSameAs(first);
  }

  @Test
  void aNameSentAgainIsTheSameString() {
    String first = decode("00" + Octets.literal("x-user") + Octets.literal("1")).field(0).name();
    String again = decode("10" + Octets.literal("x-user") + Octets.literal("2")).field(0).name();
    assertThat(again).isSameAs(first);
    String known = decode("00" + Octets.literal("via") + Octets.literal("1")).field(0).name();
    assertThat(known).isSameAs(StaticTable.name(60));
  }

  @Test
  void namesWithEqualHashesAreDistinguished() {
    for (int i = 0; i < 1000; i++) {
      String name = "x-" + i % 250;
      assertThat(decode("00" + Octets.literal(name) + Octets.literal("")).field(0).name())
          .isEqualTo(name);
    }
    String longName = "n".repeat(100);
    assertThat(decode("00" + Octets.literal(longName) + "00").field(0).name()).isEqualTo(longName);
  }

  @Test
  void namesAndValuesMayHoldAnyOctet() {
    HeaderField field = decode("00 03 00ff80 03 7f0d0a").field(0);
    assertThat(field.name()).isEqualTo("\0\u00ff\u0080");
    assertThat(field.value()).isEqualTo("\u007f\r\n");
  }

  @Test
  void directReadOnlyAndSlicedBuffersDecodeAndAreConsumed() {
    byte[] octets = Octets.bytes(entry("a", "1") + "be");
    ByteBuffer direct = ByteBuffer.allocateDirect(octets.length).put(octets).flip();
    ByteBuffer readOnly = ByteBuffer.wrap(octets).asReadOnlyBuffer();
    ByteBuffer inside = ByteBuffer.allocate(octets.length + 7).position(3).put(octets).flip();
    ByteBuffer sliced = inside.position(3).slice();
    for (ByteBuffer block : new ByteBuffer[] {direct, readOnly, inside, sliced}) {
      assertThat(decoder.decode(block))
          .isEqualTo(HeaderList.of(HeaderField.of("a", "1"), HeaderField.of("a", "1")));
      assertThat(block.hasRemaining()).isFalse();
    }
  }

  @Test
  void aLongDirectBlockDecodes() {
    HpackDecoder large = new HpackDecoder(4096, 1 << 20, 100);
    HeaderList list = HeaderList.of(HeaderField.of("a", "\u00e9".repeat(40_000), Indexing.SKIPPED));
    HeaderBlock out = new HeaderBlock();
    new HpackEncoder(4096).encode(list, out);
    ByteBuffer direct = ByteBuffer.allocateDirect(out.length()).put(Octets.block(out)).flip();
    assertThat(large.decode(direct)).isEqualTo(list);
  }

  @Test
  void constructorArgumentsAreChecked() {
    assertThatIllegalArgumentException().isThrownBy(() -> new HpackDecoder(-1, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new HpackDecoder(0, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new HpackDecoder(0, 1, 0));
  }

  private HeaderList decode(String hex) {
    Decoded decoded = decoder.decode(Octets.block(hex));
    assertThat(decoded).isInstanceOf(HeaderList.class);
    return (HeaderList) decoded;
  }

  private static String entry(String name, String value) {
    return "40" + Octets.literal(name) + Octets.literal(value);
  }
}
