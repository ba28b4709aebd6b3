package dev.gannet.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which media types say gRPC. */
final class ContentTypeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/grpc",
        "application/grpc+proto",
        "application/grpc+json",
        "application/grpc;charset=utf-8",
        "application/grpc+proto; charset=utf-8",
        "application/grpc+",
        "Application/GRPC",
        "APPLICATION/grpc+Proto"
      })
  void grpcWithOrWithoutAFormatIsGrpc(String value) {
    assertThat(ContentType.isGrpc(value)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "application/grpc, ''",
    "application/grpc+, ''",
    "application/grpc;charset=utf-8, ''",
    "application/grpc+proto, proto",
    "application/grpc+JSON ; charset=utf-8, json"
  })
  void theFormatIsWhatFollowsThePlus(String value, String format) {
    assertThat(ContentType.format(value)).isEqualTo(format);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "application",
        "application/grp",
        "application/grpcx",
        "application/grpc-web",
        "application/grpc-web+proto",
        "application/grpc/proto",
        " application/grpc",
        "application/json",
        "text/html"
      })
  void otherContentTypesAreNotGrpc(String value) {
    assertThat(ContentType.isGrpc(value)).isFalse();
  }
}
