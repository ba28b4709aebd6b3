package dev.gannet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The name of a method, which is its path without the leading slash. */
final class MethodDescriptorTest {
  private static MethodDescriptor<byte[], byte[]> named(String name) {
    return MethodDescriptor.of(MethodType.UNARY, name, Marshallers.bytes(), Marshallers.bytes());
  }

  @Test
  void theNameConsistsOfServiceAndMethod() {
    MethodDescriptor<byte[], byte[]> method = named("shop.Images/Upload");
    assertThat(method.serviceName()).isEqualTo("shop.Images");
    assertThat(method.bareMethodName()).isEqualTo("Upload");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "Upload",
        "/Upload",
        "shop.Images/",
        "/shop.Images/",
        "/shop.Images/Upload",
        "//Upload",
        "shop.Images/Up load",
        "shop.Images/Upl\u00f6ad"
      })
  void aNameThatNoPathCanCarryIsRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> named(name))
        .withMessageContaining("not a full method name")
        .withMessageContaining(name);
  }
}
