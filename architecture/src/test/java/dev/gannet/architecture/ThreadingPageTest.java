package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The pages that say which threads there are, who guards a field, which states there are, and where
 * to look for something, name classes, fields and methods that exist.
 */
final class ThreadingPageTest {
  @Test
  void everyFieldOnThePageExists() throws IOException {
    List<String> unknown = new ArrayList<>();
    int seen = 0;
    for (String cell : PageTable.cells("docs/threading.md", "| fields | guarded by |", 0)) {
      List<JavaClass> owners = List.of();
      for (String name : PageTable.namesIn(cell)) {
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
  void whatCreatesThreadsAndRunsOnThemExists() throws IOException {
    String head = "| thread | created by | what runs on it |";
    List<String> cells = new ArrayList<>(PageTable.cells("docs/threading.md", head, 1));
    cells.addAll(PageTable.cells("docs/threading.md", head, 2));
    List<String> names =
        cells.stream()
            .flatMap(cell -> PageTable.namesIn(cell).stream())
            .map(name -> name.replace("()", ""))
            .filter(name -> isTypeName(withoutPackage(name).getFirst()))
            .toList();
    assertThat(names).hasSizeGreaterThan(10); // it has looked
    assertThat(names).filteredOn(name -> !isTypeOrMember(withoutPackage(name))).isEmpty();
  }

  @Test
  void everyStateMachineExists() throws IOException {
    List<String> unknown =
        PageTable.cells("docs/states.md", "| what | where | states |", 1).stream()
            .flatMap(cell -> PageTable.namesIn(cell).stream())
            .filter(name -> isTypeName(withoutPackage(name).getFirst()))
            .filter(name -> typesNamed(withoutPackage(name)).isEmpty())
            .toList();
    assertThat(unknown).isEmpty();
  }

  @Test
  void everyPlaceToLookAtExists() throws IOException {
    List<String> unknown =
        PageTable.cells("CONTRIBUTING.md", "| what | look at |", 1).stream()
            .flatMap(cell -> PageTable.namesIn(cell).stream())
            .filter(name -> isTypeName(name) && !name.startsWith("System."))
            .filter(name -> !isTypeOrMember(withoutPackage(name)))
            .toList();
    assertThat(unknown).isEmpty();
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

  /** Whether there is such a type, or a type with such a field, constant or method. */
  private static boolean isTypeOrMember(List<String> parts) {
    boolean isType = isTypeName(parts.getLast()) && !typesNamed(parts).isEmpty();
    return isType
        || typesNamed(parts.subList(0, parts.size() - 1)).stream()
            .flatMap(type -> type.getMembers().stream())
            .anyMatch(it -> it.getName().equals(parts.getLast()));
  }

  private static boolean hasField(JavaClass type, String field) {
    return type.getAllFields().stream().anyMatch(it -> it.getName().equals(field));
  }
}
