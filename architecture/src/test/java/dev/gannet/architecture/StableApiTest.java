package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import com.tngtech.archunit.core.domain.properties.HasModifiers;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users may write against: which packages, and that no engine shows in their signatures. */
final class StableApiTest {
  @Test
  void onlyStablePackagesAreExportedToEverybody() {
    Path[] classes =
        ProjectModule.LIBRARY.stream()
            .map(module -> Path.of("..", module.folder(), "target", "classes"))
            .toArray(Path[]::new);
    Set<ModuleReference> modules = ModuleFinder.of(classes).findAll();
    assertThat(modules).hasSameSizeAs(ProjectModule.LIBRARY);
    Set<String> exported =
        modules.stream()
            .map(ModuleReference::descriptor)
            .flatMap(descriptor -> descriptor.exports().stream())
            .filter(exports -> !exports.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());
    assertThat(exported).isEqualTo(StableTypes.PACKAGES);
  }

  @Test
  void thePageOfTheArchitectureListsTheStablePackages() throws IOException {
    List<String> listed =
        PageTable.cells("ARCHITECTURE.md", "| module | stable packages |", 1).stream()
            .flatMap(cell -> PageTable.namesIn(cell).stream())
            .map(name -> "dev.gannet." + name)
            .toList();
    assertThat(listed).containsExactlyInAnyOrderElementsOf(StableTypes.PACKAGES);
  }

  @Test
  void noSignatureThatUsersSeeNamesAnEngineType() {
    Set<JavaClass> seen = StableTypes.all();
    assertThat(seen.stream().flatMap(StableApiTest::enginesIn)).isEmpty();
    assertThat(seen.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
        .isEqualTo(StableTypes.PACKAGES); // it has looked
  }

  /** The check itself finds each place in which a type can stand. */
  @Test
  void theCheckFindsEngineTypesInEveryPlace() {
    assertThat(enginesIn(new ClassFileImporter().importClass(Leaking.class)))
        .extracting(text -> text.substring(text.indexOf(' ') + 1))
        .containsExactlyInAnyOrder(
            "extends dev.gannet.http2.ByteSink",
            "of dev.gannet.http2.AbuseKind",
            "FIELD: dev.gannet.http2.Limits",
            "parameter: dev.gannet.http2.Limits",
            "returned: dev.gannet.http2.Role",
            "argument: dev.gannet.http2.Role",
            "wildcard: dev.gannet.http2.Role",
            "nested: dev.gannet.http2.AbuseKind$Rate");
  }

  /** A type as no stable package may have one. */
  public abstract static class Leaking<T extends Comparable<dev.gannet.http2.AbuseKind>>
      implements dev.gannet.http2.ByteSink {
    protected static final dev.gannet.http2.Limits[] FIELD = {};

    private dev.gannet.http2.Limits unseen = dev.gannet.http2.Limits.DEFAULT;

    public void parameter(dev.gannet.http2.Limits limits) {
      unseen = limits;
    }

    protected abstract dev.gannet.http2.Role returned();

    public abstract <V extends Comparable<dev.gannet.http2.Role>> void argument(V value);

    public abstract void wildcard(List<? super dev.gannet.http2.Role> roles);

    public abstract dev.gannet.http2.AbuseKind.Rate[] nested();

    dev.gannet.http2.Limits ofThePackage() {
      return unseen;
    }
  }

  private static Stream<String> enginesIn(JavaClass type) {
    Set<String> found = new TreeSet<>();
    Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
        .map(JavaType::getAllInvolvedRawTypes)
        .forEach(types -> addEngines(found, " extends ", types));
    addEngines(found, " of ", boundsOf(type.getTypeParameters()));
    addEngines(found, " @", annotationsOf(type.getAnnotations()));
    for (JavaMember member : type.getMembers()) {
      if (StableTypes.isSeen((HasModifiers) member)) {
        String where = " " + member.getName() + ": ";
        addEngines(found, where, member.getAllInvolvedRawTypes());
        addEngines(found, where, annotationsOf(member.getAnnotations()));
        if (member instanceof JavaCodeUnit code) {
          addEngines(found, where, boundsOf(code.getTypeParameters()));
          addEngines(found, where, code.getThrowsClause().getTypes());
          code.getParameters()
              .forEach(it -> addEngines(found, where, annotationsOf(it.getAnnotations())));
        }
      }
    }
    return found.stream().map(text -> type.getName() + text);
  }

  private static void addEngines(Set<String> found, String where, Collection<JavaClass> types) {
    types.stream()
        .map(JavaClass::getBaseComponentType)
        .filter(it -> isOfAnEngine(it.getPackageName()))
        .forEach(it -> found.add(where + it.getName()));
  }

  private static List<JavaClass> boundsOf(List<? extends JavaTypeVariable<?>> variables) {
    return variables.stream().flatMap(it -> it.getAllInvolvedRawTypes().stream()).toList();
  }

  private static List<JavaClass> annotationsOf(
      Collection<? extends JavaAnnotation<?>> annotations) {
    return annotations.stream().map(JavaAnnotation::getRawType).toList();
  }

  private static boolean isOfAnEngine(String packageName) {
    return packageName.startsWith("dev.gannet.")
        && !StableTypes.PACKAGES.contains(packageName)
        && !packageName.startsWith("dev.gannet.architecture");
  }
}
