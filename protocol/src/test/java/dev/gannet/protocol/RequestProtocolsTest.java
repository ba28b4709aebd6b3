package dev.gannet.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Marshallers;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which protocol a request is read by, and what another than gRPC may make of it. */
final class RequestProtocolsTest {
  private static final HeaderField PATH = HeaderField.of(":path", "/a.B/C");

  private final RequestProtocols protocols =
      RequestProtocols.of(
          List.of(new Other("application/a"), new Other("application/")), List.of());

  /** Speaks all content-types with that beginning, and understands nothing but the path. */
  private record Other(String beginning) implements RequestProtocol {
    @Override
    public boolean speaks(HeaderList fields) {
      return RequestProtocols.contentType(fields).startsWith(beginning);
    }

    @Override
    public RequestHead read(HeaderList fields) {
      return RequestHead.Call.of(this, PATH, beginning);
    }

    @Override
    public boolean carries(MethodType type) {
      return true;
    }

    @Override
    public Deframer deframer(MessageEncoding encoding, int maxMessageBytes, ArraySource arrays) {
      throw new UnsupportedOperationException(beginning);
    }

    @Override
    public <T> ByteBuffer frame(
        Marshaller<T> marshaller, T message, MessageEncoding encoding, ArraySource arrays) {
      throw new UnsupportedOperationException(beginning);
    }

    @Override
    public void write(ResponsePart part, ResponseWriter to) {
      throw new UnsupportedOperationException(beginning);
    }

    @Override
    public void end(Status status, Metadata trailers, ResponseWriter to) {
      throw new UnsupportedOperationException(beginning);
    }
  }

  private static HeaderList request(String... more) {
    List<HeaderField> fields = new ArrayList<>(List.of(HeaderField.of(":method", "POST"), PATH));
    for (int i = 0; i < more.length; i += 2) {
      fields.add(HeaderField.of(more[i], more[i + 1]));
    }
    return HeaderList.of(fields);
  }

  private String readerOf(String contentType) {
    return switch (protocols.headOf(request("content-type", contentType))) {
      case RequestHead.Call call when call.protocol() == GrpcRequests.GRPC -> "grpc";
      case RequestHead.Call call -> call.authority();
      case RequestHead.NotACall other -> "no call for " + other.protocol();
      case RequestHead.Refused refused -> "refused by " + refused.protocol();
    };
  }

  @ParameterizedTest
  @CsvSource({
    "application/grpc, grpc",
    "application/grpc+proto, grpc",
    "Application/GRPC;charset=x, grpc",
    "application/abc, application/a",
    "application/x, application/",
    "application/grpc-web, application/",
    "text/html, no call for GRPC",
  })
  void theFirstProtocolOfAContentTypeReadsItAndGrpcReadsItsOwn(String contentType, String reader) {
    assertThat(readerOf(contentType)).isEqualTo(reader);
  }

  @Test
  void aRequestWithoutAContentTypeIsGrpcsToAnswer() {
    assertThat(protocols.headOf(request())).isInstanceOf(RequestHead.NotACall.class);
    assertThat(RequestProtocols.GRPC.headOf(request("content-type", "application/a")))
        .isInstanceOf(RequestHead.NotACall.class);
  }

  @Test
  void aCallOfAnotherProtocolHasDefaultValues() {
    HeaderList fields = request("user", "me", "content-type", "application/a");
    RequestHead.Call call = (RequestHead.Call) protocols.headOf(fields);
    assertThat(call.path()).isEqualTo("/a.B/C");
    assertThat(call.pathField()).isSameAs(PATH);
    assertThat(call.format()).isEmpty();
    assertThat(call.encoding()).isEqualTo("identity");
    assertThat(call.accepts(MessageEncoding.GZIP)).isFalse();
    assertThat(call.timeoutNanos(fields)).isEmpty();
    assertThat(call.metadata(fields).isEmpty()).isTrue();
  }

  @Test
  void aCallOfAnotherProtocolCanHaveEverythingThatAGrpcCallHas() {
    HeaderList fields = request("user", "me", "content-type", "application/a");
    RequestHead.Call call =
        ((RequestHead.Call) protocols.headOf(fields))
            .withFormat("json")
            .withEncodings("gzip", "identity,gzip")
            .withTimeoutNanos(7)
            .withMetadata(fields)
            .orElseThrow();
    assertThat(call.format()).isEqualTo("json");
    assertThat(call.encoding()).isEqualTo("gzip");
    assertThat(call.accepts(MessageEncoding.GZIP)).isTrue();
    assertThat(call.timeoutNanos(fields)).hasValue(7);
    assertThat(call.metadata(fields).get(Metadata.Key.ascii("user"))).hasValue("me");
    assertThat(call.metadataValues()).isOne();
    assertThat(call.authority()).isEqualTo("application/a");
  }

  private static final String TYPE = "application/a";
  private static final RequestSyntax SYNTAX =
      new RequestSyntax(
          "other",
          new RequestSyntax.ContentTypes(
              TYPE, it -> it.startsWith(TYPE), it -> it.substring(TYPE.length())),
          new RequestSyntax.Timeout(
              "wait",
              it -> it.equals("?") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(it))),
          new RequestSyntax.Encodings("coding", "codings"));

  @Test
  void theFieldsOfAnotherProtocolHaveItsOwnNamesAndForms() {
    Other protocol = new Other(TYPE);
    HeaderList fields =
        request(
            "content-type",
            "application/abc",
            "wait",
            "7",
            "coding",
            "gzip",
            "codings",
            "identity",
            "codings",
            "gzip",
            "host",
            "here",
            "user",
            "me");
    RequestHead.Call call = (RequestHead.Call) RequestHeadReader.read(fields, protocol, SYNTAX);
    assertThat(call.protocol()).isSameAs(protocol);
    assertThat(call.pathField()).isSameAs(PATH);
    assertThat(call.authority()).isEqualTo("here");
    assertThat(call.format()).isEqualTo("bc");
    assertThat(call.encoding()).isEqualTo("gzip");
    assertThat(call.accepts(MessageEncoding.GZIP)).isTrue();
    assertThat(call.timeoutNanos(fields)).hasValue(7);
    assertThat(call.metadata(fields).toStringWithValues()).isEqualTo("Metadata(user=me)");
    assertThat(call.withPath("/a.B/Found").path()).isEqualTo("/a.B/Found");
  }

  @ParameterizedTest
  @CsvSource({
    ":method, GET, 405, other calls are made with POST",
    "te, trailers, 415, the content-type is not application/a",
    "content-type, text/html, 415, the content-type is not application/a",
    "wait, ?, 400, wait is malformed",
    "coding, gzip, 400, 'the request has more than one coding, and they differ'",
  })
  void whatIsWrongWithARequestIsSaidWithTheNamesOfItsProtocol(
      String name, String value, int httpStatus, String words) {
    Other protocol = new Other(TYPE);
    HeaderList fields =
        switch (name) {
          case "te", "content-type" -> request(name, value);
          case "coding" -> request("content-type", TYPE, name, "identity", name, value);
          default -> request("content-type", TYPE, name, value);
        };
    RequestHead.NotACall answer =
        (RequestHead.NotACall) RequestHeadReader.read(fields, protocol, SYNTAX);
    assertThat(answer.protocol()).isSameAs(protocol);
    assertThat(answer.httpStatus()).isEqualTo(httpStatus);
    assertThat(answer.status()).hasToString("INTERNAL: " + words);
  }

  @Test
  void fieldsOfGrpcMeanNothingInAProtocolWithoutThem() {
    HeaderList fields = request("grpc-timeout", "soon", "grpc-encoding", "gzip");
    RequestSyntax none =
        new RequestSyntax(
            "other",
            RequestSyntax.ContentTypes.ANY,
            RequestSyntax.Timeout.NONE,
            RequestSyntax.Encodings.NONE);
    RequestHead.Call call =
        (RequestHead.Call) RequestHeadReader.read(fields, new Other(TYPE), none);
    assertThat(call.timeoutNanos(fields)).isEmpty();
    assertThat(call.encoding()).isEqualTo("identity");
    assertThat(call.metadata(fields).isEmpty()).isTrue();
  }

  @Test
  void aProtocolIsToldTheMethodsOfItsServer() {
    MethodDescriptor<String, String> method =
        MethodDescriptor.of(MethodType.UNARY, "a.B/Found", Marshallers.utf8(), Marshallers.utf8());
    RequestProtocols ofServer = RequestProtocols.of(List.of(new ByMethods("")), List.of(method));
    RequestHead.Call call = (RequestHead.Call) ofServer.headOf(request());
    assertThat(call.path()).isEqualTo("/a.B/Found");
  }

  /** Finds the only method, and speaks what has no content-type. */
  private record ByMethods(String name) implements RequestProtocol {
    private static final Other REST = new Other("");

    @Override
    public RequestProtocol withMethods(List<MethodDescriptor<?, ?>> methods) {
      return new ByMethods(methods.getFirst().fullMethodName());
    }

    @Override
    public boolean speaks(HeaderList fields) {
      return RequestProtocols.contentType(fields).isEmpty();
    }

    @Override
    public RequestHead read(HeaderList fields) {
      return RequestHead.Call.of(REST, HeaderField.of(":path", "/" + name), "");
    }

    @Override
    public boolean carries(MethodType type) {
      return REST.carries(type);
    }

    @Override
    public Deframer deframer(MessageEncoding encoding, int maxMessageBytes, ArraySource arrays) {
      return REST.deframer(encoding, maxMessageBytes, arrays);
    }

    @Override
    public <T> ByteBuffer frame(
        Marshaller<T> marshaller, T message, MessageEncoding encoding, ArraySource arrays) {
      return REST.frame(marshaller, message, encoding, arrays);
    }

    @Override
    public void write(ResponsePart part, ResponseWriter to) {
      REST.write(part, to);
    }

    @Override
    public void end(Status status, Metadata trailers, ResponseWriter to) {
      REST.end(status, trailers, to);
    }
  }

  @Test
  void invalidMetadataIsDetected() {
    HeaderList fields = request("some-bin", "*", "content-type", "application/a");
    RequestHead.Call call = (RequestHead.Call) protocols.headOf(fields);
    assertThat(call.withMetadata(fields)).isEmpty();
  }
}
