package dev.gannet.http2.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists encoded again and again are copied, and what is copied is always right. */
final class RepeatedListsTest {
  private final HpackEncoder encoder = new HpackEncoder(4096);
  private final HpackDecoder decoder = new HpackDecoder(4096, 1 << 16, 100);
  private final HeaderList constant =
      HeaderList.of(
          HeaderField.of(":status", "200"),
          HeaderField.of("content-type", "application/grpc"),
          HeaderField.of("grpc-encoding", "identity"));

  @Test
  void aRepeatedListIsEncodedToTheSameOctets() {
    sends(constant);
    for (int i = 0; i < 10; i++) {
      assertThat(sends(constant)).isEqualTo("88bfbe");
    }
  }

  @Test
  void insertionsMoveTheIndexesOfARepeatedList() {
    for (int i = 0; i < 200; i++) {
      sends(constant);
      sends(constant);
      sends(constant);
      sends(HeaderList.of(HeaderField.of("n", "v" + i)));
    }
  }

  @Test
  void evictionsMakeARepeatedListLiteralAgain() {
    sends(constant);
    sends(constant);
    sends(constant);
    for (int i = 0; i < 150; i++) {
      sends(HeaderList.of(HeaderField.of("n", "v" + i)));
    }
    assertThat(sends(constant)).startsWith("885f");
    assertThat(sends(constant)).isEqualTo("88bfbe");
  }

  @Test
  void aResizedTableMakesARepeatedListLiteralAgain() {
    sends(constant);
    sends(constant);
    sends(constant);
    encoder.setPeerTableBytes(0);
    encoder.setPeerTableBytes(4096);
    assertThat(sends(constant)).startsWith("203fe11f885f");
  }

  @Test
  void moreListsThanAreKeptAreEncodedCorrectly() {
    List<HeaderList> lists = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      lists.add(HeaderList.of(HeaderField.of("n", "v" + i), HeaderField.of("m", "w" + i)));
    }
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < lists.size(); i++) {
        sends(lists.get(i));
        sends(lists.get(i % 5));
        sends(lists.get(i % 5));
      }
    }
  }

  @Test
  void listsWithFieldsThatAreNotIndexedAreEncodedCorrectly() {
    HeaderList skipped =
        HeaderList.of(HeaderField.of("n", "1"), HeaderField.of("m", "2", Indexing.SKIPPED));
    HeaderList secret =
        HeaderList.of(HeaderField.of("n", "1"), HeaderField.of("m", "3", Indexing.NEVER));
    HeaderList large = HeaderList.of(HeaderField.of("n", "x".repeat(3000), Indexing.SKIPPED));
    for (int i = 0; i < 10; i++) {
      sends(skipped);
      sends(secret);
      sends(large);
      sends(HeaderList.EMPTY);
    }
  }

  @Test
  void constantAndVaryingPartsCanFormOneBlock() {
    for (int i = 0; i < 300; i++) {
      HeaderField varying = HeaderField.of("user", "u" + i % 90);
      HeaderBlock out = new HeaderBlock();
      encoder.begin(out);
      encoder.encode(constant, out);
      encoder.encode("grpc-timeout", i + "m", Indexing.SKIPPED, out);
      encoder.encode(HeaderList.of(varying), out);
      encoder.encode(constant, out);
      List<HeaderField> expected = new ArrayList<>();
      constant.forEach(expected::add);
      expected.add(HeaderField.of("grpc-timeout", i + "m"));
      expected.add(varying);
      constant.forEach(expected::add);
      assertThat(decoder.decode(Octets.block(out))).isEqualTo(HeaderList.of(expected));
    }
  }

  @Test
  void aListIsKeptFromItsSecondTimeOn() {
    EncodedLists kept = new EncodedLists();
    assertThat(offered(kept, constant)).isEqualTo(EncodedLists.UNKNOWN);
    int place = offered(kept, constant);
    HeaderBlock copy = new HeaderBlock();
    kept.copy(place, copy);
    assertThat(Octets.hex(copy)).isEqualTo("88");
    assertThat(kept.find(constant, 1)).isEqualTo(EncodedLists.UNKNOWN);
  }

  @Test
  void listsMadeForOneMessageDoNotDriveOutLastingOnes() {
    EncodedLists kept = new EncodedLists();
    offered(kept, constant);
    int place = offered(kept, constant);
    for (int i = 0; i < 100; i++) {
      offered(kept, HeaderList.of(HeaderField.of("n", "v" + i)));
    }
    assertThat(kept.find(constant, 0)).isEqualTo(place);
  }

  @Test
  void listsWithSecretsAndLargeListsAreNotKept() {
    EncodedLists kept = new EncodedLists();
    HeaderList secret = HeaderList.of(HeaderField.of("k", "1", Indexing.NEVER));
    HeaderList large = HeaderList.of(HeaderField.of("k", "x".repeat(3000)));
    for (int i = 0; i < 5; i++) {
      assertThat(offered(kept, secret)).isEqualTo(EncodedLists.UNKNOWN);
      assertThat(offered(kept, large)).isEqualTo(EncodedLists.UNKNOWN);
    }
  }

  /** Offers a list as if it were encoded as one octet, and looks for it. */
  private static int offered(EncodedLists kept, HeaderList list) {
    HeaderBlock out = new HeaderBlock();
    out.writeInteger(0x80, 7, 8);
    kept.offer(list, 0, out, 0);
    return kept.find(list, 0);
  }

  private String sends(HeaderList list) {
    HeaderBlock out = new HeaderBlock();
    encoder.begin(out);
    encoder.encode(list, out);
    assertThat(decoder.decode(Octets.block(out))).isEqualTo(list);
    return Octets.hex(out);
  }
}
