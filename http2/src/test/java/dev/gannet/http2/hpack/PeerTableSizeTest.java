package dev.gannet.http2.hpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** The encoder obeys the peer's SETTINGS_HEADER_TABLE_SIZE (RFC 7541 §4.2). */
final class PeerTableSizeTest {
  private static final HeaderField FIELD = HeaderField.of("k", "1");

  private final HpackEncoder encoder = new HpackEncoder(4096);

  @Test
  void nothingIsAnnouncedAtFirst() {
    assertThat(begun()).isEmpty();
  }

  @Test
  void aCapBelowTheInitialSizeIsAnnouncedInTheFirstBlock() {
    HpackEncoder small = new HpackEncoder(100);
    HeaderBlock out = new HeaderBlock();
    small.begin(out);
    assertThat(Octets.hex(out)).isEqualTo("3f45");
    assertThat(small.table().capacityBytes()).isEqualTo(100);
  }

  @Test
  void aShrunkTableIsAnnouncedOnceAndEvicts() {
    encode();
    encoder.setPeerTableBytes(30);
    assertThat(encoder.table().count()).isEqualTo(1);
    assertThat(begun()).isEqualTo("3e");
    assertThat(encoder.table().count()).isZero();
    assertThat(begun()).isEmpty();
  }

  @Test
  void theSmallestSizeIsAnnouncedBeforeTheFinalOne() {
    encode();
    encoder.setPeerTableBytes(2000);
    encoder.setPeerTableBytes(0);
    encoder.setPeerTableBytes(1000);
    encoder.setPeerTableBytes(4096);
    assertThat(begun()).isEqualTo("203fe11f");
    assertThat(encoder.table().count()).isZero();
    assertThat(begun()).isEmpty();
  }

  @Test
  void aTableThatOnlyGrewIsAnnouncedOnce() {
    encoder.setPeerTableBytes(100);
    assertThat(begun()).isEqualTo("3f45");
    encoder.setPeerTableBytes(200);
    encoder.setPeerTableBytes(300);
    assertThat(begun()).isEqualTo("3f8d02");
  }

  @Test
  void aTableThatOnlyShrankIsAnnouncedOnce() {
    encoder.setPeerTableBytes(2000);
    encoder.setPeerTableBytes(100);
    assertThat(begun()).isEqualTo("3f45");
  }

  @Test
  void ourOwnCapAppliesWhateverThePeerAllows() {
    encoder.setPeerTableBytes(4_294_967_295L);
    assertThat(begun()).isEmpty();
    assertThat(encoder.table().capacityBytes()).isEqualTo(4096);
  }

  @Test
  void aCapAboveTheInitialSizeWaitsForThePeer() {
    HpackEncoder large = new HpackEncoder(65_536);
    HeaderBlock out = new HeaderBlock();
    large.begin(out);
    assertThat(out.length()).isZero();
    large.setPeerTableBytes(100_000);
    large.begin(out);
    assertThat(Octets.hex(out)).isEqualTo("3fe1ff03");
  }

  @Test
  void theSameSizeAgainIsNotAnnounced() {
    encoder.setPeerTableBytes(4096);
    encoder.setPeerTableBytes(5000);
    assertThat(begun()).isEmpty();
  }

  @Test
  void afterSizeZeroFieldsAreLiterals() {
    encode();
    encoder.setPeerTableBytes(0);
    assertThat(begun()).isEqualTo("20");
    assertThat(encode()).isEqualTo("00016b0131");
  }

  @Test
  void numbersOfMoreThan32BitsAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> encoder.setPeerTableBytes(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> encoder.setPeerTableBytes(1L << 32));
  }

  private String begun() {
    HeaderBlock out = new HeaderBlock();
    encoder.begin(out);
    return Octets.hex(out);
  }

  private String encode() {
    HeaderBlock out = new HeaderBlock();
    encoder.encode(FIELD, out);
    return Octets.hex(out);
  }
}
