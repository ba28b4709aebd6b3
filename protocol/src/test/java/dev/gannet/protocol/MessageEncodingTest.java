package dev.gannet.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which encodings there are, and which of them a peer reads. */
final class MessageEncodingTest {
  private static final MessageEncodings BUILT_IN = MessageEncodings.DEFAULT;

  static Stream<MessageEncoding> builtIn() {
    return Stream.of(MessageEncoding.IDENTITY, MessageEncoding.GZIP);
  }

  @ParameterizedTest
  @MethodSource("builtIn")
  void eachEncodingIsFoundByItsNameAndOffered(MessageEncoding encoding) {
    assertThat(BUILT_IN.read(encoding.wireName())).hasValue(encoding);
    assertThat(BUILT_IN.sent(encoding.wireName())).hasValue(encoding);
    assertThat(BUILT_IN.accept().split(",")).contains(encoding.wireName());
    assertThat(MessageEncoding.accepts(BUILT_IN.accept(), encoding)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GZIP", "gzip ", "deflate", "snappy", "identity,gzip"})
  void otherNamesAreUnknown(String name) {
    assertThat(BUILT_IN.read(name)).isEmpty();
    assertThat(BUILT_IN.sent(name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "gzip", "deflate", "identity"})
  void everyPeerReadsPlainMessages(String acceptEncoding) {
    assertThat(MessageEncoding.accepts(acceptEncoding, MessageEncoding.IDENTITY)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gzip",
        " gzip ",
        "gzip,identity",
        "identity,deflate,gzip",
        "identity, deflate ,\tgzip , zstd",
        "x-gzip,gzip2,gzip",
        "gzipgzip,gzip"
      })
  void gzipIsAcceptedWhereverItIsListed(String acceptEncoding) {
    assertThat(MessageEncoding.accepts(acceptEncoding, MessageEncoding.GZIP)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "identity",
        "deflate",
        "x-gzip",
        "gzip2",
        "gzi",
        "gzipgzip",
        "gzip deflate",
        "GZIP"
      })
  void gzipIsNotAcceptedWhereItIsNotListed(String acceptEncoding) {
    assertThat(MessageEncoding.accepts(acceptEncoding, MessageEncoding.GZIP)).isFalse();
  }

  @Test
  void aLongListOfSpacesAndNamesIsReadInOnePass() {
    String hostile = ("gzip" + " ".repeat(50) + "x,").repeat(2_000);
    assertThat(MessageEncoding.accepts(hostile, MessageEncoding.GZIP)).isFalse();
  }
}
