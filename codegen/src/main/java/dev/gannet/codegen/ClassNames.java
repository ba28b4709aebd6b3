package dev.gannet.codegen;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How one source file names the classes that it uses: by their simple names where these are
 * unambiguous in the file, otherwise by their full names. Collects the necessary imports.
 */
final class ClassNames {
  private static final String JAVA_LANG = "java.lang";

  /** Classes of {@code java.lang} that generated code uses; no import may hide them. */
  private static final Set<String> USED_OF_JAVA_LANG =
      Set.of(
          "Deprecated",
          "Exception",
          "IndexOutOfBoundsException",
          "Override",
          "String",
          "SuppressWarnings");

  private final String ownPackage;
  private final JavaPackages packages;
  private final Set<String> variables;
  private final Map<String, String> imports = new TreeMap<>();

  /**
   * The names of a file without variables that could be confused with classes.
   *
   * @param ownPackage the package of the file
   */
  ClassNames(String ownPackage, JavaPackages packages) {
    this(ownPackage, packages, Set.of());
  }

  /**
   * The names of a file with variables: if a name could be a variable or a class, Java takes it for
   * the variable.
   *
   * @param ownPackage the package of the file
   */
  ClassNames(String ownPackage, JavaPackages packages, Set<String> variables) {
    this.ownPackage = ownPackage;
    this.packages = packages;
    this.variables = variables;
  }

  /** A class that is not nested in another one. */
  String of(String fullName) {
    int dot = fullName.lastIndexOf('.');
    return of(fullName.substring(0, dot), fullName.substring(dot + 1));
  }

  String of(MessageType type) {
    return of(type.packageName(), type.className());
  }

  /** The full names of the classes to import, in order. */
  List<String> imports() {
    return imports.values().stream().sorted().toList();
  }

  private String of(String packageName, String className) {
    if (packageName.isEmpty()) {
      return className;
    }
    String fullName = packageName + "." + className;
    String outermost = className.split("\\.", 2)[0];
    if (variables.contains(outermost)) {
      return fullName;
    }
    if (packageName.equals(ownPackage)) {
      return className;
    }
    if (packages.contains(ownPackage, outermost)) {
      return fullName;
    }
    if (packageName.equals(JAVA_LANG)) {
      return className;
    }
    if (USED_OF_JAVA_LANG.contains(outermost)) {
      return fullName;
    }
    String wanted = packageName + "." + outermost;
    String imported = imports.putIfAbsent(outermost, wanted);
    return imported == null || imported.equals(wanted) ? className : fullName;
  }
}
