package dev.gannet.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields of the protocol that have one value: none of two that differ is believed. */
final class RepeatedFieldsTest {
  private static final String[] REQUEST = {
    ":method", "POST", ":path", "/a.B/C", "content-type", "application/grpc"
  };
  private static final String[] RESPONSE = {":status", "200", "content-type", "application/grpc"};

  @ParameterizedTest
  @CsvSource({
    "grpc-timeout, 1S, 2S",
    "grpc-timeout, 1S, 1000m",
    "grpc-timeout, 1S, ''",
    "grpc-encoding, identity, gzip",
    "grpc-encoding, gzip, identity",
    "grpc-encoding, gzip, ''",
    "content-type, application/grpc, application/grpc+proto"
  })
  void differentValuesOfOneFieldMakeABadRequest(String name, String first, String second) {
    RequestHead.NotACall bad =
        (RequestHead.NotACall)
            RequestProtocols.GRPC.headOf(fields(REQUEST, name, first, name, second));
    assertThat(bad.httpStatus()).isEqualTo(RequestHead.BAD_REQUEST);
    assertThat(bad.status())
        .hasToString("INTERNAL: the request has more than one " + name + ", and they differ");
  }

  @Test
  void headersOfARequestMayBeRepeatedWithTheSameValue() {
    HeaderList fields =
        fields(
            REQUEST,
            "content-type",
            "application/grpc",
            "grpc-encoding",
            "gzip",
            "grpc-timeout",
            "1S",
            "grpc-encoding",
            "gzip",
            "grpc-timeout",
            "1S",
            "te",
            "trailers",
            "te",
            "trailers");
    RequestHead.Call call = (RequestHead.Call) RequestProtocols.GRPC.headOf(fields);
    assertThat(call.encoding()).isEqualTo("gzip");
    assertThat(call.timeoutNanos(fields)).hasValue(1_000_000_000L);
  }

  @Test
  void acceptedEncodingsMayBeSplitAmongSeveralFields() {
    HeaderList fields =
        fields(REQUEST, "grpc-accept-encoding", "gzip", "grpc-accept-encoding", "identity");
    RequestHead.Call call = (RequestHead.Call) RequestProtocols.GRPC.headOf(fields);
    assertThat(call.accepts(MessageEncoding.GZIP)).isTrue();
  }

  @Test
  void repeatedFieldsAreNotCheckedInARequestThatIsNoCall() {
    HeaderList get =
        fields(new String[] {":method", "GET"}, "grpc-timeout", "1S", "grpc-timeout", "2S");
    RequestHead.NotACall bad = (RequestHead.NotACall) RequestProtocols.GRPC.headOf(get);
    assertThat(bad.httpStatus()).isEqualTo(RequestHead.METHOD_NOT_ALLOWED);
  }

  @ParameterizedTest
  @CsvSource({
    "content-type, application/grpc, text/html",
    "grpc-encoding, identity, gzip",
    "grpc-encoding, gzip, identity"
  })
  void differentValuesOfOneResponseHeaderEndTheCall(String name, String first, String second) {
    ResponseHead head = ResponseHead.of(fields(RESPONSE, name, first, name, second));
    assertThat(head.headersFault().orElseThrow()).hasToString(saysTwoThings(name));
  }

  @ParameterizedTest
  @CsvSource({
    "grpc-status, 0, 5",
    "grpc-status, 5, 0",
    "grpc-status, 0, ''",
    "grpc-message, yes, no",
    "grpc-message, yes, ''"
  })
  void differentValuesOfOneTrailerAreNoSuccess(String name, String first, String second) {
    ResponseHead trailers =
        ResponseHead.of(fields(new String[0], "grpc-status", "0", name, first, name, second));
    assertThat(trailers.endStatus()).hasToString(saysTwoThings(name));
    ResponseHead alone =
        ResponseHead.of(fields(RESPONSE, "grpc-status", "0", name, first, name, second));
    assertThat(alone.endStatus()).hasToString(saysTwoThings(name));
  }

  @Test
  void anHttpErrorHasPriorityOverTwoDifferentGrpcStatuses() {
    ResponseHead head =
        ResponseHead.of(
            fields(new String[] {":status", "503"}, "grpc-status", "0", "grpc-status", "5"));
    assertThat(head.endStatus().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(head.headersFault().orElseThrow().code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void fieldsOfAResponseMayBeRepeatedWithTheSameValue() {
    ResponseHead head =
        ResponseHead.of(
            fields(
                RESPONSE,
                "grpc-status",
                "5",
                "grpc-message",
                "no",
                "grpc-encoding",
                "gzip",
                "grpc-status",
                "5",
                "grpc-message",
                "no",
                "grpc-encoding",
                "gzip",
                "content-type",
                "application/grpc"));
    assertThat(head.headersFault()).isEmpty();
    assertThat(head.endStatus()).hasToString("NOT_FOUND: no");
  }

  private static String saysTwoThings(String name) {
    return "INTERNAL: the response has more than one " + name + ", and they differ";
  }

  private static HeaderList fields(String[] first, String... more) {
    List<HeaderField> fields = new ArrayList<>();
    for (String[] some : List.of(first, more)) {
      for (int i = 0; i < some.length; i += 2) {
        fields.add(HeaderField.of(some[i], some[i + 1]));
      }
    }
    return HeaderList.of(fields);
  }
}
