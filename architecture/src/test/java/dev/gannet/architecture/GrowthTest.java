package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.nio.file.Files;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users may write against can gain members later without breaking them. */
final class GrowthTest {
  /** An interface that users call. */
  private static final String OURS = "Only implemented by Gannet; methods may be added.";

  /** An interface that users implement. */
  private static final String THEIRS =
      "For applications to implement; new methods will have a default.";

  /** A record cannot gain a component: its constructor and its pattern are public. */
  @Test
  void noStableTypeIsARecord() {
    assertThat(StableTypes.all()).filteredOn(JavaClass::isRecord).isEmpty();
  }

  @Test
  void everyInterfaceIsSealedOrAFunctionOrSaysWhoImplementsIt() {
    assertThat(interfaces()).hasSizeGreaterThan(50); // it has looked
    assertThat(
            interfaces()
                .filter(it -> !isSettled(StableTypes.declaration(it)))
                .map(JavaClass::getName))
        .isEmpty();
  }

  /** Those that were not generated while building. */
  private static Stream<JavaClass> interfaces() {
    return StableTypes.all().stream()
        .filter(it -> it.isInterface() && !it.isAnnotation())
        .filter(it -> Files.exists(StableTypes.source(it)));
  }

  private static boolean isSettled(String declaration) {
    return declaration.contains("@FunctionalInterface")
        || Pattern.compile("\\bsealed\\b[ a-z]*$").matcher(declaration).find()
        || declaration.contains(OURS)
        || declaration.contains(THEIRS);
  }
}
