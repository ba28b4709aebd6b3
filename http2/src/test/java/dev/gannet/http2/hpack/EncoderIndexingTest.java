package dev.gannet.http2.hpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** Which representation the encoder chooses, and which form of a string (RFC 7541 §5.2, §6). */
final class EncoderIndexingTest {
  private final HpackEncoder encoder = new HpackEncoder(4096);

  @Test
  void aStaticFieldIsOneOctet() {
    assertThat(encoded(HeaderField.of(":method", "POST"))).isEqualTo("83");
    assertThat(encoded(HeaderField.of("accept", ""))).isEqualTo("93");
  }

  @Test
  void everyStaticFieldIsFoundAtItsIndex() {
    for (int i = 1; i <= StaticTable.SIZE; i++) {
      assertThat(StaticTable.indexOf(StaticTable.name(i), StaticTable.value(i))).isEqualTo(i);
      assertThat(StaticTable.indexOf(StaticTable.name(i))).isLessThanOrEqualTo(i).isPositive();
    }
    assertThat(StaticTable.indexOf(":status")).isEqualTo(8);
    assertThat(StaticTable.indexOf("te")).isEqualTo(StaticTable.NONE);
    assertThat(StaticTable.indexOf("te", "trailers")).isEqualTo(StaticTable.NONE);
  }

  @Test
  void aNewFieldIsALiteralFirstAndAnIndexThen() {
    HeaderField field = HeaderField.of("custom-key", "custom-value");
    assertThat(encoded(field)).isEqualTo("408825a849e95ba97d7f8925a849e95bb8e8b4bf");
    assertThat(encoded(field)).isEqualTo("be");
    assertThat(encoded(HeaderField.of("custom-key", "custom-value"))).isEqualTo("be");
  }

  @Test
  void aKnownNameIsAnIndex() {
    encoded(HeaderField.of("custom-key", "custom-value"));
    assertThat(encoded(HeaderField.of("custom-key", "!"))).isEqualTo("7e0121");
    assertThat(encoded(HeaderField.of("via", "!"))).isEqualTo("7c0121");
    assertThat(encoded(HeaderField.of("custom-key", "!"))).isEqualTo("bf");
  }

  @Test
  void theNewestEntryOfANameIsUsed() {
    encoded(HeaderField.of("k", "1"));
    encoded(HeaderField.of("k", "2"));
    assertThat(encoded(HeaderField.of("k", "!", Indexing.SKIPPED))).isEqualTo("0f2f0121");
  }

  @Test
  void aSkippedFieldIsNotIndexedEvenIfTheTableContainsIt() {
    HeaderField skipped = HeaderField.of("k", "1", Indexing.SKIPPED);
    assertThat(encoded(skipped)).isEqualTo("00016b0131");
    encoded(HeaderField.of("k", "1"));
    assertThat(encoded(skipped)).isEqualTo("0f2f0131");
    assertThat(encoder.table().count()).isEqualTo(1);
  }

  @Test
  void aSecretIsNeverIndexedEvenIfItIsInATable() {
    HeaderField secret = HeaderField.of("authorization", "x", Indexing.NEVER);
    assertThat(encoded(secret)).isEqualTo("1f080178");
    encoded(HeaderField.of("authorization", "x"));
    assertThat(encoded(secret)).isEqualTo("1f080178");
    assertThat(encoded(HeaderField.of(":method", "GET", Indexing.NEVER))).isEqualTo("1203474554");
  }

  @Test
  void aFieldLargerThanThreeQuartersOfTheTableIsNotIndexed() {
    HeaderField fits = HeaderField.of("a", "v".repeat(3072 - 33));
    HeaderField tooLarge = HeaderField.of("a", "w".repeat(3072 - 32));
    encoded(tooLarge);
    assertThat(encoder.table().count()).isZero();
    encoded(fits);
    assertThat(encoder.table().count()).isEqualTo(1);
  }

  @Test
  void withoutATableNothingIsIndexedButStaticFields() {
    HpackEncoder none = new HpackEncoder(0);
    HeaderBlock out = new HeaderBlock();
    none.begin(out);
    none.encode(HeaderField.of("a", "1"), out);
    none.encode(HeaderField.of("a", "1"), out);
    none.encode(HeaderField.of(":path", "/"), out);
    assertThat(Octets.hex(out)).isEqualTo("20" + "0001610131".repeat(2) + "84");
  }

  @Test
  void skippedFieldsAreHuffmanCodedOnlyIfConfigured() {
    HeaderField passing = HeaderField.of("a", "a".repeat(256), Indexing.SKIPPED);
    assertThat(encoded(passing)).hasSize(2 * 262);
    HpackEncoder always = new HpackEncoder(4096, HuffmanUse.ALWAYS);
    HeaderBlock out = new HeaderBlock();
    always.begin(out);
    always.encode(passing, out);
    always.encode(HeaderField.of("a", "\u00ff".repeat(256), Indexing.SKIPPED), out);
    assertThat(out.length()).isEqualTo(165 + 262);
  }

  @Test
  void aStringThatHuffmanDoesNotShortenIsSentAsItIs() {
    assertThat(encoded(HeaderField.of("via", "<<"))).isEqualTo("7c023c3c");
    assertThat(encoded(HeaderField.of(":method", ""))).isEqualTo("4200");
  }

  @Test
  void aNameAndAValueAreEncodedLikeAField() {
    for (Indexing indexing : Indexing.values()) {
      HpackEncoder other = new HpackEncoder(4096);
      HeaderBlock out = new HeaderBlock();
      other.encode("grpc-timeout", "10S", indexing, out);
      other.encode("grpc-timeout", "10S", indexing, out);
      HpackEncoder fresh = new HpackEncoder(4096);
      HeaderBlock expected = new HeaderBlock();
      HeaderField field = HeaderField.of("grpc-timeout", "10S", indexing);
      fresh.encode(HeaderList.of(field, field), expected);
      assertThat(Octets.hex(out)).isEqualTo(Octets.hex(expected));
    }
  }

  @Test
  void aOneOffFieldWithMoreThanOctetsIsRefusedAndNothingIsWritten() {
    HeaderBlock out = new HeaderBlock();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> encoder.encode("a", "\u010d\u010a", Indexing.SKIPPED, out));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> encoder.encode("\u010d", "", Indexing.SKIPPED, out));
    assertThat(out.length()).isZero();
  }

  @Test
  void fieldsWithEqualHashesAreDistinguished() {
    HeaderField first = HeaderField.of("Aa", "x");
    HeaderField second = HeaderField.of("BB", "x");
    assertThat(first).hasSameHashCodeAs(second);
    encoded(first);
    encoded(second);
    assertThat(encoded(first)).isEqualTo("bf");
    assertThat(encoded(second)).isEqualTo("be");
  }

  @Test
  void evictedFieldsAreNotFound() {
    HeaderField first = HeaderField.of("first", "1");
    encoded(first);
    for (int i = 0; i < 1000; i++) {
      encoded(HeaderField.of("n", String.format("%04d", i)));
    }
    assertThat(encoded(HeaderField.of("n", "0999"))).isEqualTo("be");
    assertThat(encoded(HeaderField.of("first", "1", Indexing.SKIPPED)))
        .startsWith("00" + Octets.literal("first"));
    assertThat(encoded(first)).startsWith("40");
  }

  @Test
  void aBlockGrowsAndIsUsedAgain() {
    HeaderBlock out = new HeaderBlock();
    HeaderField large = HeaderField.of("a", "\u00ff".repeat(100_000), Indexing.SKIPPED);
    encoder.encode(large, out);
    assertThat(out.length()).isEqualTo(100_007);
    out.clear();
    assertThat(out.length()).isZero();
    assertThat(out.array()).hasSizeLessThan(1000);
    encoder.encode(HeaderField.of(":method", "GET"), out);
    assertThat(Octets.hex(out)).isEqualTo("82");
    byte[] kept = out.array();
    out.clear();
    assertThat(out.array()).isSameAs(kept);
  }

  @Test
  void constructorArgumentsAreChecked() {
    assertThatIllegalArgumentException().isThrownBy(() -> new HpackEncoder(-1));
  }

  private String encoded(HeaderField field) {
    HeaderBlock out = new HeaderBlock();
    encoder.begin(out);
    encoder.encode(field, out);
    return Octets.hex(out);
  }
}
