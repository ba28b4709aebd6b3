package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
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
    assertThat(interfaces().filter(it -> !isSettled(declaration(it))).map(JavaClass::getName))
        .isEmpty();
  }

  /** Those that were not generated while building. */
  private static Stream<JavaClass> interfaces() {
    return StableTypes.all().stream()
        .filter(it -> it.isInterface() && !it.isAnnotation())
        .filter(it -> Files.exists(source(it)));
  }

  private static Path source(JavaClass type) {
    String outermost = type.getName().replaceFirst("\\$.*", "");
    return Path.of("..")
        .resolve(ProjectModule.ofPackage(type.getPackageName()).orElseThrow().folder())
        .resolve("src/main/java")
        .resolve(outermost.replace('.', '/') + ".java");
  }

  /** The Javadoc, annotations and modifiers of an interface; empty if it has no Javadoc. */
  private static String declaration(JavaClass type) {
    Pattern pattern =
        Pattern.compile(
            "/\\*\\*((?:(?!\\*/).)*)\\*/([^;{}*]*)\\binterface " + type.getSimpleName() + "\\b",
            Pattern.DOTALL);
    Matcher matcher = pattern.matcher(text(source(type)));
    return matcher.find() ? matcher.group(1) + matcher.group(2) : "";
  }

  private static boolean isSettled(String declaration) {
    String oneLine = declaration.replaceAll("\\s*\\n\\s*\\*?\\s*", " ");
    return oneLine.contains("@FunctionalInterface")
        || Pattern.compile("\\bsealed\\b[ a-z]*$").matcher(oneLine).find()
        || oneLine.contains(OURS)
        || oneLine.contains(THEIRS);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
