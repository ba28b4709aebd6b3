package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.properties.CanBeAnnotated;
import com.tngtech.archunit.core.domain.properties.HasAnnotations;
import com.tngtech.archunit.core.domain.properties.HasModifiers;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.gannet.api.Preview;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What is not marked with {@link Preview} stays: so nothing of it names a type that may change or
 * go. What is nested in a marked type counts as marked.
 */
final class PreviewTest {
  @Test
  void noSignatureThatStaysNamesATypeThatMayGo() {
    assertThat(StableTypes.all().stream().flatMap(PreviewTest::previewsIn)).isEmpty();
    assertThat(StableTypes.all()).filteredOn(PreviewTest::isPreview).hasSizeGreaterThan(5);
  }

  /** What is overdue is to be made stable, or removed. */
  @Test
  void aPreviewEndsBeforeTheReleaseThatItNames() throws IOException {
    Version current = Version.parse(versionOfProject().replace("-SNAPSHOT", ""));
    assertThat(untils())
        .isNotEmpty()
        .allSatisfy(until -> {
          assertThat(Version.parse(until)).isGreaterThan(current);
        });
  }

  private static String versionOfProject() throws IOException {
    Matcher version =
        Pattern.compile("<artifactId>gannet-parent</artifactId>\\s*<version>([^<]+)<")
            .matcher(Files.readString(Path.of("../pom.xml")));
    assertThat(version.find()).isTrue();
    return version.group(1);
  }

  private static Set<String> untils() {
    return StableTypes.all().stream()
        .flatMap(type -> Stream.concat(Stream.of(type), type.getMembers().stream()))
        .filter(it -> ((CanBeAnnotated) it).isAnnotatedWith(Preview.class))
        .map(it -> ((HasAnnotations<?>) it).getAnnotationOfType(Preview.class).until())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The check itself finds each place in which a type can stand. */
  @Test
  void theCheckFindsTypesThatMayGoInEveryPlace() {
    assertThat(previewsIn(new ClassFileImporter().importClass(Staying.class)))
        .extracting(text -> text.substring(text.indexOf(' ') + 1).replaceAll("[a-zA-Z.]+\\$", ""))
        .containsExactlyInAnyOrder(
            "extends Going",
            "of Nested",
            "FIELD: Going",
            "<init>: Going",
            "parameter: Going",
            "returned: Nested",
            "argument: Going",
            "wildcard: Going",
            "thrown: GoingException");
  }

  @Test
  void whatIsMarkedMayNameTypesThatMayGo() {
    assertThat(previewsIn(new ClassFileImporter().importClass(AlsoGoing.class))).isEmpty();
    assertThat(previewsIn(new ClassFileImporter().importClass(AlsoGoing.Nested.class))).isEmpty();
  }

  /** A type that may go. */
  @Preview(until = "0.3")
  public interface Going {
    /** Goes with it. */
    interface Nested {}
  }

  /** An exception that may go. */
  @Preview(until = "0.3")
  public static final class GoingException extends Exception {
    private static final long serialVersionUID = 1;
  }

  /** A type as no stable package may have one. */
  public abstract static class Staying<T extends Comparable<Going.Nested>> implements Going {
    protected static final Going[] FIELD = {};

    protected Staying(Going going) {
      privateMethod(going);
    }

    @Preview(until = "0.3")
    protected Staying(Going going, Going more) {
      privateMethod(going);
      privateMethod(more);
    }

    public abstract void parameter(Going going);

    protected abstract Going.Nested[] returned();

    public abstract <V extends Comparable<Going>> void argument(V value);

    public abstract void wildcard(List<? super Going> some);

    public abstract void thrown() throws GoingException;

    @Preview(until = "0.3")
    public abstract Going marked(Going going);

    Going ofThePackage() {
      return FIELD[0];
    }

    private static void privateMethod(Going going) {
      Objects.requireNonNull(going);
    }
  }

  /** A type that may name others that may go. */
  @Preview(until = "0.3")
  public interface AlsoGoing extends Going {
    Going returned();

    /** Goes with it. */
    interface Nested extends Going {
      Going returned();
    }
  }

  private static Stream<String> previewsIn(JavaClass type) {
    Set<String> found = new TreeSet<>();
    if (!isPreview(type)) {
      Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
          .map(JavaType::getAllInvolvedRawTypes)
          .forEach(types -> addPreviews(found, " extends ", types));
      type.getTypeParameters()
          .forEach(it -> addPreviews(found, " of ", it.getAllInvolvedRawTypes()));
      type.getMembers().stream()
          .filter(it -> StableTypes.isSeen((HasModifiers) it) && !isMarked(it))
          .forEach(it -> addPreviewsOf(it, found));
    }
    return found.stream().map(text -> type.getName() + text);
  }

  private static void addPreviewsOf(JavaMember member, Set<String> found) {
    String where = " " + member.getName() + ": ";
    addPreviews(found, where, member.getAllInvolvedRawTypes());
    if (member instanceof JavaCodeUnit code) {
      code.getTypeParameters()
          .forEach(it -> addPreviews(found, where, it.getAllInvolvedRawTypes()));
      addPreviews(found, where, code.getThrowsClause().getTypes());
    }
  }

  private static void addPreviews(Set<String> found, String where, Collection<JavaClass> types) {
    types.stream()
        .map(JavaClass::getBaseComponentType)
        .filter(PreviewTest::isPreview)
        .forEach(it -> found.add(where + it.getName()));
  }

  private static boolean isMarked(JavaMember member) {
    return member.isAnnotatedWith(Preview.class);
  }

  private static boolean isPreview(JavaClass type) {
    return type.isAnnotatedWith(Preview.class)
        || type.getEnclosingClass().map(PreviewTest::isPreview).orElse(false);
  }
}
