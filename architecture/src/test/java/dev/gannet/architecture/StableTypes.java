package dev.gannet.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasModifiers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The types that users may write against. */
final class StableTypes {
  /** The packages whose signatures stay as they are. */
  static final Set<String> PACKAGES =
      Set.of(
          "dev.gannet.api",
          "dev.gannet.api.stub",
          "dev.gannet.api.transport",
          "dev.gannet.auth",
          "dev.gannet.client",
          "dev.gannet.client.balancer",
          "dev.gannet.client.config",
          "dev.gannet.client.resolver",
          "dev.gannet.jfr",
          "dev.gannet.json",
          "dev.gannet.protobuf",
          "dev.gannet.protobuf.lite",
          "dev.gannet.resolver.dns",
          "dev.gannet.server",
          "dev.gannet.serviceconfig",
          "dev.gannet.services",
          "dev.gannet.services.binarylog.v1",
          "dev.gannet.services.channelz.v1",
          "dev.gannet.services.health.v1",
          "dev.gannet.services.orca.v3",
          "dev.gannet.services.reflection.v1",
          "dev.gannet.services.reflection.v1alpha",
          "dev.gannet.status",
          "dev.gannet.testing",
          "dev.gannet.transport.inprocess",
          "dev.gannet.validation",
          "dev.gannet.zstd");

  private StableTypes() {}

  /** All types of these packages that users can name. */
  static Set<JavaClass> all() {
    Set<JavaClass> types = new TreeSet<>(Comparator.comparing(JavaClass::getName));
    ProjectClasses.CLASSES.stream()
        .filter(type -> PACKAGES.contains(type.getPackageName()) && isSeenByUsers(type))
        .forEach(types::add);
    return types;
  }

  /** Whether users can name this member, if they can name its class. */
  static boolean isSeen(HasModifiers member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    boolean seen =
        modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    return seen && !modifiers.contains(JavaModifier.SYNTHETIC);
  }

  private static boolean isSeenByUsers(JavaClass type) {
    return isSeen(type)
        && !type.isAnonymousClass()
        && type.getEnclosingClass().map(StableTypes::isSeenByUsers).orElse(true);
  }

  /** The file with the source of a type; there is none if the type was generated. */
  static Path source(JavaClass type) {
    String outermost = type.getName().replaceFirst("\\$.*", "");
    return Path.of("..")
        .resolve(ProjectModule.ofPackage(type.getPackageName()).orElseThrow().folder())
        .resolve("src/main/java")
        .resolve(outermost.replace('.', '/') + ".java");
  }

  /**
   * The Javadoc, annotations and modifiers of a type, in one line; empty if it has no Javadoc or
   * was generated.
   */
  static String declaration(JavaClass type) {
    Path source = source(type);
    if (!Files.exists(source)) {
      return "";
    }
    Pattern pattern =
        Pattern.compile(
            "/\\*\\*((?:(?!\\*/).)*)\\*/([^;{}*]*)\\b(?:class|enum|interface) "
                + type.getSimpleName()
                + "\\b",
            Pattern.DOTALL);
    Matcher matcher = pattern.matcher(text(source));
    return matcher.find()
        ? (matcher.group(1) + matcher.group(2)).replaceAll("\\s*\\n\\s*\\*?\\s*", " ")
        : "";
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
