package dev.gannet.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The compiled classes of all modules without their tests, and the files they come from. */
final class ProjectClasses {
  /** All classes, read once. */
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.gannet");

  // Tests run in the folder of their own module, right below the root.
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private ProjectClasses() {}

  /** The classes of one module. */
  static Set<JavaClass> classesOf(ProjectModule module) {
    return CLASSES.stream()
        .filter(type ->
            ProjectModule.ofPackage(type.getPackageName()).filter(module::equals).isPresent())
        .collect(Collectors.toSet());
  }

  /** The classes of one module that were written by hand, not generated while building. */
  static Set<JavaClass> writtenClassesOf(ProjectModule module) {
    Set<String> sources = sourcesOf(module);
    return classesOf(module).stream()
        .filter(type -> sources.contains(outermost(type).getName()))
        .collect(Collectors.toSet());
  }

  /** The full names of the types that the source files of one module are named after. */
  static Set<String> sourcesOf(ProjectModule module) {
    Path sources = ROOT.resolve(module.folder()).resolve("src/main/java");
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .map(file -> sources.relativize(file).toString())
          .filter(name -> name.endsWith(".java") && !name.equals("module-info.java"))
          .map(name -> name.substring(0, name.length() - ".java".length()).replace('/', '.'))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(ProjectClasses::outermost).orElse(type);
  }

  /** The folders below the root that are Maven modules. */
  static Set<String> folders() {
    try (Stream<Path> folders = Files.list(ROOT)) {
      return folders
          .filter(folder -> Files.exists(folder.resolve("pom.xml")))
          .map(folder -> folder.getFileName().toString())
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
