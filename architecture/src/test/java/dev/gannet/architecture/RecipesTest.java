package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The recipes of CONTRIBUTING name types, members and files that exist. They are looked up in the
 * sources, because the class path has neither all programs nor the tests of other modules.
 */
final class RecipesTest {
  private static final Path ROOT = Path.of("..");

  /** A type or one of its members, perhaps with parameters. */
  private static final Pattern TYPE =
      Pattern.compile("([A-Z]\\w*[a-z]\\w*(?:[.]\\w+)*)(?:\\(.*\\))?");

  private static final Pattern FILE = Pattern.compile("[\\w-]+(?:/[\\w.-]+)+");

  private static final Set<String> OF_THE_JDK = Set.of("ServiceLoader", "META-INF/services");

  /** The sources of each type that has a file of its own, by its simple name. */
  private final Map<String, String> sources = sources();

  private static Map<String, String> sources() {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(RecipesTest::isSource)
          .collect(
              Collectors.toMap(
                  file -> file.getFileName().toString().replace(".java", ""),
                  RecipesTest::text,
                  String::concat));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSource(Path file) {
    String name = ROOT.relativize(file).toString();
    return name.endsWith(".java") && !name.startsWith(".") && !name.contains("/target/");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everythingThatRecipesNameExists() {
    List<String> names = namesInRecipes();
    assertThat(names).hasSizeGreaterThan(100); // it has looked
    assertThat(names).filteredOn(name -> !exists(name)).isEmpty();
  }

  private static List<String> namesInRecipes() {
    String page = text(ROOT.resolve("CONTRIBUTING.md"));
    return Arrays.stream(page.split("(?m)^## ", -1))
        .filter(chapter -> chapter.startsWith("How to add "))
        .flatMap(chapter -> PageTable.namesIn(chapter).stream())
        .filter(name -> !OF_THE_JDK.contains(name))
        .toList();
  }

  private boolean exists(String name) {
    Matcher type = TYPE.matcher(name);
    if (type.matches()) {
      List<String> parts = List.of(type.group(1).split("[.]", -1));
      String source = sources.getOrDefault(parts.getFirst(), "");
      return parts.stream()
          .allMatch(part -> Pattern.compile("\\b" + part + "\\b").matcher(source).find());
    }
    return !FILE.matcher(name).matches() || Files.exists(ROOT.resolve(name));
  }
}
