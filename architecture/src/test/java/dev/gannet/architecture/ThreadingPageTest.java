package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The pages that say who guards a field, and which states there are, name classes and fields that
 * exist.
 */
final class ThreadingPageTest {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern CELL = Pattern.compile(" *\\| *");

  @Test
  void everyFieldOnThePageExists() throws IOException {
    List<String> unknown = new ArrayList<>();
    int seen = 0;
    for (String cell : firstCells("docs/threading.md", "| fields | guarded by |")) {
      List<JavaClass> owners = List.of();
      for (String name : namesIn(cell)) {
        seen++;
        List<String> parts = withoutPackage(name);
        if (isTypeName(parts.getFirst())) {
          owners = typesNamed(parts);
        }
        if (!isPackage(name) && !isKnown(owners, parts)) {
          unknown.add(name + " in: " + cell);
        }
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(seen).isGreaterThan(200); // it has looked
  }

  @Test
  void everyStateMachineExists() throws IOException {
    List<String> unknown =
        cells("ARCHITECTURE.md", "| what | where | states |", 1)
            .flatMap(cell -> namesIn(cell).stream())
            .filter(name -> isTypeName(withoutPackage(name).getFirst()))
            .filter(name -> typesNamed(withoutPackage(name)).isEmpty())
            .toList();
    assertThat(unknown).isEmpty();
  }

  private static List<String> firstCells(String page, String head) throws IOException {
    return cells(page, head, 0).toList();
  }

  /** One column of the table with this head. */
  private static Stream<String> cells(String page, String head, int column) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("..").resolve(page));
    assertThat(lines).contains(head);
    return lines.subList(lines.indexOf(head) + 2, lines.size()).stream()
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> CELL.split(line, -1)[column + 1]);
  }

  private static List<String> namesIn(String cell) {
    return CODE.matcher(cell)
        .results()
        .flatMap(code -> Arrays.stream(code.group(1).split(", ", -1)))
        .toList();
  }

  /** The parts of a name from its first type on; all of them if it names no type. */
  private static List<String> withoutPackage(String name) {
    List<String> parts = List.of(name.split("\\.", -1));
    List<String> types = parts.stream().dropWhile(it -> !isTypeName(it)).toList();
    return types.isEmpty() ? parts : types;
  }

  private static boolean isTypeName(String part) {
    return Character.isUpperCase(part.charAt(0));
  }

  private static boolean isPackage(String name) {
    return ProjectClasses.CLASSES.containPackage("dev.gannet." + name);
  }

  /** The types, nested ones included, that end with the types of the name. */
  private static List<JavaClass> typesNamed(List<String> parts) {
    String types =
        String.join("$", parts.stream().takeWhile(ThreadingPageTest::isTypeName).toList());
    return ProjectClasses.CLASSES.stream()
        .filter(
            type -> type.getName().endsWith("." + types) || type.getName().endsWith("$" + types))
        .toList();
  }

  /** Whether the types exist, and one of them has the field if the name has one. */
  private static boolean isKnown(List<JavaClass> owners, List<String> parts) {
    return parts.stream()
        .dropWhile(ThreadingPageTest::isTypeName)
        .findFirst()
        .map(field -> owners.stream().anyMatch(it -> hasField(it, field)))
        .orElse(!owners.isEmpty());
  }

  private static boolean hasField(JavaClass type, String field) {
    return type.getAllFields().stream().anyMatch(it -> it.getName().equals(field));
  }
}
