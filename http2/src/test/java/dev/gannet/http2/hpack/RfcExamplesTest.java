package dev.gannet.http2.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 7541 Appendix C. */
final class RfcExamplesTest {
  private static final String AUTHORITY = ":authority: www.example.com";
  private static final String NO_CACHE = "cache-control: no-cache";
  private static final String CUSTOM = "custom-key: custom-value";
  private static final String DATE = "Mon, 21 Oct 2013 20:13:21 GMT";
  private static final String LATER = "Mon, 21 Oct 2013 20:13:22 GMT";
  private static final String COOKIE = "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1";

  /** Announces the table of 256 octets that C.5 and C.6 take as agreed upon. */
  private static final String TABLE_OF_256 = "3fe101";

  private final HpackDecoder decoder = new HpackDecoder(4096, 8192, 100);

  @ParameterizedTest
  @CsvSource({"5, 10, 0a", "5, 1337, 1f9a0a", "8, 42, 2a"})
  void c1Integers(int prefixBits, int value, String hex) {
    HeaderBlock out = new HeaderBlock();
    out.writeInteger(0, prefixBits, value);
    assertThat(Octets.hex(out)).isEqualTo(hex);

    BlockReader in = new BlockReader();
    in.start(out.array(), 0, out.length());
    assertThat(in.integer(prefixBits)).isEqualTo(value);
    assertThat(in.remaining()).isZero();
  }

  @Test
  void c2LiteralWithIndexing() {
    decodes("400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572")
        .to("custom-key: custom-header");
    table(55, "custom-key: custom-header");
  }

  @Test
  void c2LiteralWithoutIndexing() {
    decodes("040c 2f73 616d 706c 652f 7061 7468").to(":path: /sample/path");
    table(0);
  }

  @Test
  void c2LiteralNeverIndexed() {
    HeaderList list = decodes("1008 7061 7373 776f 7264 0673 6563 7265 74").to("password: secret");
    assertThat(list.field(0).indexing()).isEqualTo(Indexing.NEVER);
    table(0);
  }

  @Test
  void c2IndexedField() {
    decodes("82").to(":method: GET");
    table(0);
  }

  @Test
  void c3RequestsWithoutHuffman() {
    requests(
        "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "8286 84be 5808 6e6f 2d63 6163 6865",
        "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65");
  }

  @Test
  void c4RequestsWithHuffman() {
    requests(
        "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
        "8286 84be 5886 a8eb 1064 9cbf",
        "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf");
  }

  @Test
  void c4IsWhatTheEncoderWrites() {
    HpackEncoder encoder = new HpackEncoder(4096);
    assertThat(encoded(encoder, ":method: GET", ":scheme: http", ":path: /", AUTHORITY))
        .isEqualTo("828684418cf1e3c2e5f23a6ba0ab90f4ff");
    assertThat(encoded(encoder, ":method: GET", ":scheme: http", ":path: /", AUTHORITY, NO_CACHE))
        .isEqualTo("828684be5886a8eb10649cbf");
    assertThat(
            encoded(
                encoder, ":method: GET", ":scheme: https", ":path: /index.html", AUTHORITY, CUSTOM))
        .isEqualTo("828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf");
  }

  @Test
  void c5ResponsesWithoutHuffman() {
    responses(
        "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a"
            + "3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63"
            + "6f6d",
        "4803 3330 37c1 c0bf",
        "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04"
            + "677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851"
            + "5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31");
  }

  @Test
  void c6ResponsesWithHuffman() {
    responses(
        "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e"
            + "919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
        "4883 640e ffc1 c0bf",
        "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7"
            + "821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160"
            + "65c0 03ed 4ee5 b106 3d50 07");
  }

  private void requests(String first, String second, String third) {
    decodes(first).to(":method: GET", ":scheme: http", ":path: /", AUTHORITY);
    table(57, AUTHORITY);
    decodes(second).to(":method: GET", ":scheme: http", ":path: /", AUTHORITY, NO_CACHE);
    table(110, NO_CACHE, AUTHORITY);
    decodes(third).to(":method: GET", ":scheme: https", ":path: /index.html", AUTHORITY, CUSTOM);
    table(164, CUSTOM, NO_CACHE, AUTHORITY);
  }

  private void responses(String first, String second, String third) {
    String location = "location: https://www.example.com";
    String cache = "cache-control: private";
    decodes(TABLE_OF_256 + first).to(":status: 302", cache, "date: " + DATE, location);
    table(222, location, "date: " + DATE, cache, ":status: 302");
    decodes(second).to(":status: 307", cache, "date: " + DATE, location);
    table(222, ":status: 307", location, "date: " + DATE, cache);
    decodes(third)
        .to(
            ":status: 200",
            cache,
            "date: " + LATER,
            location,
            "content-encoding: gzip",
            "set-cookie: " + COOKIE);
    table(215, "set-cookie: " + COOKIE, "content-encoding: gzip", "date: " + LATER);
  }

  private Expectation decodes(String hex) {
    return new Expectation(decoder.decode(Octets.block(hex)));
  }

  private record Expectation(Decoded decoded) {
    HeaderList to(String... fields) {
      assertThat(decoded).isInstanceOf(HeaderList.class);
      HeaderList list = (HeaderList) decoded;
      assertThat(list).map(HeaderField::toString).containsExactly(fields);
      return list;
    }
  }

  private void table(int sizeBytes, String... newestFirst) {
    List<String> entries = new ArrayList<>();
    for (int age = 0; age < decoder.table().count(); age++) {
      entries.add(decoder.table().aged(age).toString());
    }
    assertThat(entries).containsExactly(newestFirst);
    assertThat(decoder.table().sizeBytes()).isEqualTo(sizeBytes);
  }

  private static String encoded(HpackEncoder encoder, String... fields) {
    HeaderBlock out = new HeaderBlock();
    encoder.begin(out);
    for (String field : fields) {
      int colon = field.indexOf(": ", 1);
      encoder.encode(HeaderField.of(field.substring(0, colon), field.substring(colon + 2)), out);
    }
    return Octets.hex(out);
  }
}
