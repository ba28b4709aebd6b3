package dev.gannet.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whom a request is for: its authority (gRFC A41) and its path. */
final class AuthorityTest {
  @Test
  void theAuthorityIsThatOfItsPseudoField() {
    assertThat(call(":authority", "a.example").authority()).isEqualTo("a.example");
  }

  @Test
  void aHostReplacesAMissingAuthority() {
    assertThat(call("host", "h.example").authority()).isEqualTo("h.example");
    assertThat(call().authority()).isEmpty();
  }

  @Test
  void aHostBesideAnAuthorityIsDropped() {
    HeaderList fields = fields("/a.B/C", ":authority", "a.example", "host", "h.example");
    RequestHead.Call head = (RequestHead.Call) RequestProtocols.GRPC.headOf(fields);
    assertThat(head.authority()).isEqualTo("a.example");
    assertThat(head.metadata(fields).isEmpty()).isTrue();
  }

  @Test
  void moreThanOneHostIsABadRequest() {
    assertThat(httpStatus("host", "h", "host", "h")).isEqualTo(RequestHead.BAD_REQUEST);
    assertThat(httpStatus(":authority", "a", "host", "h", "host", "i"))
        .isEqualTo(RequestHead.BAD_REQUEST);
  }

  @Test
  void thePathStaysAsItCame() {
    for (String path : List.of("/a.B/C", "a.B/C", "//a.B/C", "/a.B%2FC", "/A.b/c?d", "*")) {
      assertThat(((RequestHead.Call) read(path)).path()).isEqualTo(path);
    }
  }

  private static RequestHead.Call call(String... namesAndValues) {
    return (RequestHead.Call) read("/a.B/C", namesAndValues);
  }

  private static int httpStatus(String... namesAndValues) {
    return ((RequestHead.NotACall) read("/a.B/C", namesAndValues)).httpStatus();
  }

  private static RequestHead read(String path, String... namesAndValues) {
    return RequestProtocols.GRPC.headOf(fields(path, namesAndValues));
  }

  private static HeaderList fields(String path, String... namesAndValues) {
    List<HeaderField> fields = new ArrayList<>();
    fields.add(HeaderField.of(":method", "POST"));
    fields.add(HeaderField.of(":path", path));
    fields.add(HeaderField.of("content-type", "application/grpc"));
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.add(HeaderField.of(namesAndValues[i], namesAndValues[i + 1]));
    }
    return HeaderList.of(fields);
  }
}
