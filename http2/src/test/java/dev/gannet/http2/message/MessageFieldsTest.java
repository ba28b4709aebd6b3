package dev.gannet.http2.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which header lists are parts of well-formed messages (RFC 9113 §8.2, §8.3, §8.5). */
final class MessageFieldsTest {
  private static final String[] REQUEST = {":method", "POST", ":scheme", "https", ":path", "/a/b"};
  private static final String[] RESPONSE = {":status", "200"};

  @Test
  void aUsualRequestIsWellFormed() {
    String[] fields = {
      ":authority", "host:80", "te", "trailers", "x", "", "y", "a b", "y", "\u00ff"
    };
    assertThat(request(fields)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void anEmptyNameIsMalformed(MessagePart part) {
    assertThat(flaws(part, "", "v")).containsExactly(Flaw.NAME_EMPTY);
  }

  @ParameterizedTest
  @EnumSource
  void upperCaseInANameIsMalformed(MessagePart part) {
    assertThat(flaws(part, "eXample", "v")).containsExactly(Flaw.NAME_IN_UPPER_CASE);
    assertThat(flaws(part, "A", "v")).containsExactly(Flaw.NAME_IN_UPPER_CASE);
    assertThat(flaws(part, "Z", "v")).containsExactly(Flaw.NAME_IN_UPPER_CASE);
  }

  @Test
  void aColonInsideANameIsMalformed() {
    assertThat(request("a:b", "v")).containsExactly(Flaw.NAME_COLON);
    assertThat(request("a:", "v")).containsExactly(Flaw.NAME_COLON);
  }

  @Test
  void everyOctetOfANameIsAllowedOrMalformedAsTheRfcSays() {
    for (char c = 0; c <= 0xff; c++) {
      boolean upper = c >= 'A' && c <= 'Z';
      boolean fine = c > ' ' && c < 0x7f && c != ':' && !upper;
      assertThat(request("x" + c + "y", "v").isEmpty()).as("octet %x", (int) c).isEqualTo(fine);
    }
  }

  @Test
  void allButThreeOctetsAreAllowedInsideAValue() {
    for (char c = 0; c <= 0xff; c++) {
      boolean fine = c != 0 && c != '\r' && c != '\n';
      assertThat(request("x", "a" + c + "b").isEmpty()).as("octet %x", (int) c).isEqualTo(fine);
    }
    for (String value : List.of("\0", "\rb", "b\n")) {
      assertThat(request("x", value)).containsExactly(Flaw.VALUE_OCTET);
      assertThat(request("te", value)).containsExactly(Flaw.VALUE_OCTET);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "\t", " a", "\ta", "a ", "a\t", " a "})
  void aSpaceAtAnEndOfAValueIsMalformedInRequests(String value) {
    assertThat(request("x", value)).containsExactly(Flaw.VALUE_SPACED);
    assertThat(flaws(MessagePart.REQUEST_TRAILERS, "x", value)).containsExactly(Flaw.VALUE_SPACED);
  }

  @Test
  void aSpaceAtAnEndOfAValueIsForgivenInResponses() {
    assertThat(flaws(MessagePart.RESPONSE, "x", " a ")).isEmpty();
    assertThat(flaws(MessagePart.RESPONSE_TRAILERS, "grpc-message", "why: ")).isEmpty();
    assertThat(flawsOf(MessagePart.RESPONSE, ":status", "200 ")).containsExactly(Flaw.VALUE_SPACED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade"})
  void fieldsOfOneConnectionAreMalformed(String name) {
    for (MessagePart part : MessagePart.values()) {
      assertThat(flaws(part, name, "x")).containsExactly(Flaw.CONNECTION_SPECIFIC);
    }
  }

  @Test
  void teMayContainOnlyTrailers() {
    assertThat(request("te", "Trailers")).isEmpty();
    for (String value : List.of("", "gzip", "trailers, gzip", "trailers;q=1")) {
      assertThat(request("te", value)).containsExactly(Flaw.TE);
    }
  }

  @Test
  void pseudoFieldsComeFirst() {
    assertThat(flawsOf(MessagePart.REQUEST, with(new String[] {"x", "v"}, REQUEST)))
        .containsExactly(Flaw.PSEUDO_LATE);
    for (String regular : List.of("content-length", "x")) {
      assertThat(request(regular, "1", ":authority", "a")).containsExactly(Flaw.PSEUDO_LATE);
    }
    assertThat(request("x", " v", ":authority", "a")).containsExactly(Flaw.PSEUDO_LATE);
  }

  @Test
  void pseudoFieldsComeOnce() {
    for (int i = 0; i < REQUEST.length; i += 2) {
      assertThat(request(REQUEST[i], REQUEST[i + 1])).containsExactly(Flaw.PSEUDO_TWICE);
    }
    assertThat(request(":authority", "a", ":authority", "a")).containsExactly(Flaw.PSEUDO_TWICE);
    assertThat(flaws(MessagePart.RESPONSE, RESPONSE)).containsExactly(Flaw.PSEUDO_TWICE);
  }

  @ParameterizedTest
  @ValueSource(strings = {":", ":unknown", ":protocol", ":Method", "::method", ":method "})
  void unknownPseudoFieldsAreMalformed(String name) {
    for (MessagePart part : MessagePart.values()) {
      assertThat(flaws(part, name, "x")).containsExactly(Flaw.PSEUDO_UNKNOWN);
    }
  }

  @Test
  void requestsAndResponsesHaveDifferentPseudoFields() {
    assertThat(request(":status", "200")).containsExactly(Flaw.PSEUDO_OF_RESPONSE);
    for (int i = 0; i < REQUEST.length; i += 2) {
      assertThat(flaws(MessagePart.RESPONSE, REQUEST[i], REQUEST[i + 1]))
          .containsExactly(Flaw.PSEUDO_OF_REQUEST);
    }
    assertThat(flaws(MessagePart.RESPONSE, ":authority", "a"))
        .containsExactly(Flaw.PSEUDO_OF_REQUEST);
  }

  @Test
  void trailersHaveNoPseudoFields() {
    for (MessagePart part : List.of(MessagePart.REQUEST_TRAILERS, MessagePart.RESPONSE_TRAILERS)) {
      assertThat(flawsOf(part, REQUEST)).containsExactly(Flaw.PSEUDO_IN_TRAILERS);
      assertThat(flawsOf(part, RESPONSE)).containsExactly(Flaw.PSEUDO_IN_TRAILERS);
      assertThat(flawsOf(part, "grpc-status", "0")).isEmpty();
      assertThat(flawsOf(part)).isEmpty();
    }
  }

  @Test
  void aRequestHasAMethodASchemeAndAPath() {
    assertThat(flawsOf(MessagePart.REQUEST, ":scheme", "http", ":path", "/"))
        .containsExactly(Flaw.METHOD);
    assertThat(flawsOf(MessagePart.REQUEST, ":method", "GET", ":path", "/"))
        .containsExactly(Flaw.SCHEME);
    assertThat(flawsOf(MessagePart.REQUEST, ":method", "GET", ":scheme", "http"))
        .containsExactly(Flaw.PATH);
    assertThat(flawsOf(MessagePart.REQUEST)).containsExactly(Flaw.METHOD);
  }

  @Test
  void methodSchemeAndPathAreValid() {
    for (String method : List.of("", "PO ST", "POST,", "M\u00e9thode", "{", "/")) {
      assertThat(flawsOf(MessagePart.REQUEST, ":method", method)).containsExactly(Flaw.METHOD);
    }
    assertThat(flawsOf(MessagePart.REQUEST, ":method", "")).containsExactly(Flaw.METHOD);
    for (String scheme : List.of("", "ht tp", "http:")) {
      assertThat(flawsOf(MessagePart.REQUEST, ":scheme", scheme)).containsExactly(Flaw.SCHEME);
    }
    assertThat(flawsOf(MessagePart.REQUEST, ":path", "")).containsExactly(Flaw.PATH);
    assertThat(flawsOf(MessagePart.REQUEST, ":path", " /")).containsExactly(Flaw.VALUE_SPACED);
    String[] unusual = {":method", "a!~9", ":scheme", "https", ":path", "*"};
    assertThat(flawsOf(MessagePart.REQUEST, unusual)).isEmpty();
  }

  @Test
  void aSchemeIsHttpOrHttpsInAnyCase() {
    for (String scheme : List.of("http", "https", "HTTP", "Https")) {
      String[] fields = {":method", "POST", ":scheme", scheme, ":path", "/"};
      assertThat(flawsOf(MessagePart.REQUEST, fields)).as(scheme).isEmpty();
    }
    for (String scheme : List.of("ftp", "coap+tcp", "httpss", "htt", "ws")) {
      assertThat(flawsOf(MessagePart.REQUEST, ":scheme", scheme))
          .as(scheme)
          .containsExactly(Flaw.SCHEME);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"user@host", "@", "a b", "a\u00e9", "a/b", "host:8o", "[::1", "%zz"})
  void anAuthorityThatBreaksTheGrammarIsMalformed(String authority) {
    assertThat(request(":authority", authority)).containsExactly(Flaw.AUTHORITY);
  }

  @Test
  void anAuthorityMayBeEmpty() {
    assertThat(request(":authority", "")).isEmpty();
  }

  /** gRFC A41: beside an authority it counts for nothing. */
  @Test
  void aHostIsValidatedIfItReplacesTheAuthority() {
    assertThat(request("host", "a.example:80")).isEmpty();
    assertThat(request("host", "")).isEmpty();
    for (String host : List.of("a b", "user@a", "a:x", "\u00e9")) {
      assertThat(request("host", host)).containsExactly(Flaw.HOST);
      assertThat(request(":authority", "", "host", host)).containsExactly(Flaw.HOST);
      assertThat(request(":authority", "a", "host", host)).isEmpty();
      assertThat(flaws(MessagePart.RESPONSE, "host", host)).isEmpty();
    }
    assertThat(request("host", " a")).containsExactly(Flaw.VALUE_SPACED);
    assertThat(request("host", "a b", ":authority", "a")).containsExactly(Flaw.PSEUDO_LATE);
    assertThat(request("host", "a\0")).containsExactly(Flaw.VALUE_OCTET);
  }

  @Test
  void connectNamesAnAuthorityAndNothingElse() {
    assertThat(flawsOf(MessagePart.REQUEST, ":method", "CONNECT", ":authority", "host:1"))
        .isEmpty();
    for (String[] wrong :
        new String[][] {
          {":method", "CONNECT"},
          {":method", "CONNECT", ":authority", "host:1", ":path", "/"},
          {":method", "CONNECT", ":authority", "host:1", ":scheme", "http"},
          {":method", "CONNECT", ":scheme", "http", ":path", "/"}
        }) {
      assertThat(flawsOf(MessagePart.REQUEST, wrong)).containsExactly(Flaw.CONNECT);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "20", "2000", "2x0", "-20", "020", "101"})
  void aStatusHasThreeDigits(String status) {
    assertThat(flawsOf(MessagePart.RESPONSE, ":status", status)).containsExactly(Flaw.STATUS);
  }

  @Test
  void aResponseHasAStatus() {
    assertThat(flawsOf(MessagePart.RESPONSE, "x", "v")).containsExactly(Flaw.STATUS);
    assertThat(flawsOf(MessagePart.RESPONSE)).containsExactly(Flaw.STATUS);
    assertThat(flawsOf(MessagePart.RESPONSE, ":status", "999")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "+1", "1.0", "1,1", "0x1", " 1", "1 ", "1000000000000000000"})
  void contentLengthIsADecimalNumber(String length) {
    assertThat(request("content-length", length)).containsExactly(Flaw.CONTENT_LENGTH);
  }

  @Test
  void contentLengthComesOnce() {
    assertThat(request("content-length", "1", "content-length", "1"))
        .containsExactly(Flaw.CONTENT_LENGTH);
  }

  @Test
  void contentLengthIsRead() {
    assertThat(of(with(REQUEST, "content-length", "007")).contentLength()).isEqualTo(7);
    assertThat(of(with(REQUEST, "content-length", "999999999999999999")).contentLength())
        .isEqualTo(999_999_999_999_999_999L);
    assertThat(of(REQUEST).contentLength()).isEqualTo(MessageFields.UNDECLARED);
  }

  @Test
  void interimResponsesAreRecognizedByTheirStatus() {
    assertThat(of(":status", "100").isInterim()).isTrue();
    assertThat(of(":status", "199").isInterim()).isTrue();
    assertThat(of(":status", "200").isInterim()).isFalse();
    assertThat(of(REQUEST).isInterim()).isFalse();
  }

  @Test
  void someResponsesHaveNoContent() {
    assertThat(of(":status", "103").isWithoutContent()).isTrue();
    assertThat(of(":status", "204").isWithoutContent()).isTrue();
    assertThat(of(":status", "304").isWithoutContent()).isTrue();
    assertThat(of(":status", "200").isWithoutContent()).isFalse();
  }

  @Test
  void theFirstFlawIsReported() {
    assertThat(request("a:b", "v", "C", "v", "te", "x")).containsExactly(Flaw.NAME_COLON);
  }

  @Test
  void aListIsValidatedOnce() {
    HeaderList list = list(REQUEST);
    assertThat(MessageFields.of(list)).isSameAs(MessageFields.of(list));
    assertThat(MessageFields.of(list)).isNotSameAs(MessageFields.of(list(REQUEST)));
  }

  @Test
  void aFieldIsValidatedOnce() {
    HeaderField field = HeaderField.of("x", "v");
    assertThat(field.validation(FieldValidation.class, f -> Flaw.TE)).isEqualTo(Flaw.TE);
    assertThat(FieldGrammar.validation(field)).isEqualTo(Flaw.TE);
  }

  @ParameterizedTest
  @EnumSource
  void everyFlawHasADescription(Flaw flaw) {
    assertThat(flaw.description()).isNotBlank();
  }

  private static List<Flaw> request(String... behind) {
    return flaws(MessagePart.REQUEST, behind);
  }

  /** The flaw of a part that would be fine without these fields. */
  private static List<Flaw> flaws(MessagePart part, String... behind) {
    String[] fine =
        switch (part) {
          case REQUEST -> REQUEST;
          case RESPONSE -> RESPONSE;
          case REQUEST_TRAILERS, RESPONSE_TRAILERS -> new String[0];
        };
    return flawsOf(part, with(fine, behind));
  }

  private static List<Flaw> flawsOf(MessagePart part, String... namesAndValues) {
    return of(namesAndValues).flawAs(part).stream().toList();
  }

  private static MessageFields of(String... namesAndValues) {
    return MessageFields.of(list(namesAndValues));
  }

  private static HeaderList list(String... namesAndValues) {
    List<HeaderField> fields = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.add(HeaderField.of(namesAndValues[i], namesAndValues[i + 1]));
    }
    return HeaderList.of(fields);
  }

  private static String[] with(String[] first, String... second) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(List.of(second));
    return all.toArray(String[]::new);
  }
}
