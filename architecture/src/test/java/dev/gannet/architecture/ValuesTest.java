package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Settings are values: they can be compared and printed. */
final class ValuesTest {
  /** Types with {@code with…} methods that contain keys or code, which have no equality. */
  private static final Set<String> NO_VALUES =
      Set.of(
          "dev.gannet.api.ChannelCredentials$Tls",
          "dev.gannet.api.CompressorRegistry",
          "dev.gannet.api.DecompressorRegistry",
          "dev.gannet.api.MethodDescriptor",
          "dev.gannet.api.ServerCredentials$Tls",
          "dev.gannet.api.ServerMethodDefinition",
          "dev.gannet.api.ServerServiceDefinition",
          "dev.gannet.api.Status", // its cause has no equality
          "dev.gannet.client.balancer.Pick$Use",
          "dev.gannet.resolver.dns.DnsNameResolverProvider",
          "dev.gannet.testing.Reply",
          "dev.gannet.validation.ValidationInterceptor",
          "dev.gannet.zstd.ZstdCodec");

  @Test
  void aFinalClassWithWithersHasEqualsHashCodeAndToString() {
    List<JavaClass> values = StableTypes.all().stream().filter(ValuesTest::hasWithers).toList();
    assertThat(values).hasSizeGreaterThan(15); // it has looked
    assertThat(values.stream().map(JavaClass::getName)).containsAll(NO_VALUES);
    assertThat(
            values.stream()
                .filter(it -> !NO_VALUES.contains(it.getName()))
                .flatMap(ValuesTest::missing))
        .isEmpty();
  }

  private static boolean hasWithers(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.FINAL)
        && type.getMethods().stream()
            .anyMatch(method ->
                method.getName().startsWith("with")
                    && method.getModifiers().contains(JavaModifier.PUBLIC)
                    && !method.getModifiers().contains(JavaModifier.STATIC)
                    && method.getRawReturnType().equals(type));
  }

  private static Stream<String> missing(JavaClass type) {
    return Stream.of(
            type.tryGetMethod("equals", Object.class).isPresent() ? "" : ".equals",
            type.tryGetMethod("hashCode").isPresent() ? "" : ".hashCode",
            type.tryGetMethod("toString").isPresent() ? "" : ".toString")
        .filter(name -> !name.isEmpty())
        .map(name -> type.getName() + name);
  }
}
