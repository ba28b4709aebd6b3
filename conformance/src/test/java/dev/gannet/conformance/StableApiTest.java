package dev.gannet.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.lang.annotation.Annotation;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users may write against: which packages, and that no engine shows in their signatures. */
final class StableApiTest {
  /** The packages whose signatures stay as they are. */
  private static final Set<String> STABLE =
      Set.of(
          "dev.gannet.api",
          "dev.gannet.api.stub",
          "dev.gannet.api.transport",
          "dev.gannet.client",
          "dev.gannet.client.balancer",
          "dev.gannet.client.config",
          "dev.gannet.client.resolver",
          "dev.gannet.protobuf",
          "dev.gannet.server",
          "dev.gannet.serviceconfig",
          "dev.gannet.testing",
          "dev.gannet.transport.inprocess");

  @Test
  void onlyStablePackagesAreExportedToEverybody() {
    Path[] classes =
        ProjectModule.LIBRARY.stream()
            .map(module -> Path.of("..", module.folder(), "target", "classes"))
            .toArray(Path[]::new);
    Set<String> exported =
        ModuleFinder.of(classes).findAll().stream()
            .map(ModuleReference::descriptor)
            .flatMap(descriptor -> descriptor.exports().stream())
            .filter(exports -> !exports.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());
    assertThat(exported).isEqualTo(STABLE);
  }

  @Test
  void noSignatureThatUsersSeeNamesAnEngineType() throws ClassNotFoundException {
    Set<String> found = new TreeSet<>();
    int seen = 0;
    for (JavaClass type : ProjectClasses.CLASSES) {
      if (STABLE.contains(type.getPackageName())) {
        Class<?> loaded = Class.forName(type.getName(), false, getClass().getClassLoader());
        if (isSeenByUsers(loaded)) {
          seen++;
          found.addAll(enginesIn(loaded));
        }
      }
    }
    assertThat(found).isEmpty();
    assertThat(seen).isGreaterThan(50); // it has looked
  }

  /** The check itself finds each place in which a type can stand. */
  @Test
  void theCheckSeesEngineTypesWhereverTheyStand() {
    assertThat(enginesIn(Leaking.class))
        .extracting(text -> text.substring(text.indexOf(' ') + 1))
        .containsExactlyInAnyOrder(
            "extends dev.gannet.http2.ByteSink",
            "FIELD: dev.gannet.http2.Limits",
            "parameter: dev.gannet.http2.Limits",
            "returned: dev.gannet.http2.Role",
            "argument: dev.gannet.http2.Role",
            "wildcard: dev.gannet.http2.Role",
            "nested: dev.gannet.http2.Offence$Rate");
  }

  /** A type as no stable package may have one. */
  public abstract static class Leaking implements dev.gannet.http2.ByteSink {
    protected static final dev.gannet.http2.Limits[] FIELD = {};

    private dev.gannet.http2.Limits unseen = dev.gannet.http2.Limits.DEFAULT;

    public void parameter(dev.gannet.http2.Limits limits) {
      unseen = limits;
    }

    protected abstract dev.gannet.http2.Role returned();

    public abstract <T extends Comparable<dev.gannet.http2.Role>> void argument(T value);

    public abstract void wildcard(List<? super dev.gannet.http2.Role> roles);

    public abstract dev.gannet.http2.Offence.Rate[] nested();

    dev.gannet.http2.Limits ofThePackage() {
      return unseen;
    }
  }

  private static boolean isSeenByUsers(Class<?> type) {
    boolean seen = isSeen(type.getModifiers());
    Class<?> outer = type.getDeclaringClass();
    return seen && !type.isAnonymousClass() && (outer == null || isSeenByUsers(outer));
  }

  private static boolean isSeen(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static Set<String> enginesIn(Class<?> type) {
    Set<String> found = new HashSet<>();
    String where = type.getName();
    Stream.concat(
            Stream.ofNullable(type.getGenericSuperclass()),
            Arrays.stream(type.getGenericInterfaces()))
        .flatMap(StableApiTest::enginesNamedBy)
        .forEach(engine -> found.add(where + " extends " + engine));
    enginesIn(type.getTypeParameters()).forEach(engine -> found.add(where + " of " + engine));
    enginesIn(type.getAnnotations()).forEach(engine -> found.add(where + " @" + engine));
    Stream.of(type.getDeclaredFields(), type.getDeclaredMethods(), type.getDeclaredConstructors())
        .flatMap(Arrays::stream)
        .filter(member -> isSeen(member.getModifiers()) && !member.isSynthetic())
        .forEach(member ->
            enginesIn(member)
                .forEach(engine -> found.add(where + " " + member.getName() + ": " + engine)));
    return found;
  }

  private static Stream<String> enginesIn(Member member) {
    return switch (member) {
      case Field field ->
          Stream.concat(enginesNamedBy(field.getGenericType()), enginesIn(field.getAnnotations()));
      case Method method ->
          Stream.concat(enginesNamedBy(method.getGenericReturnType()), enginesInExecutable(method));
      case Constructor<?> constructor -> enginesInExecutable(constructor);
      default -> Stream.empty();
    };
  }

  private static Stream<String> enginesInExecutable(Executable executable) {
    return Stream.of(
            enginesIn(executable.getGenericParameterTypes()),
            enginesIn(executable.getGenericExceptionTypes()),
            enginesIn(executable.getTypeParameters()),
            enginesIn(executable.getAnnotations()),
            Arrays.stream(executable.getParameterAnnotations()).flatMap(StableApiTest::enginesIn))
        .flatMap(engines -> engines);
  }

  private static Stream<String> enginesIn(Type[] types) {
    return Arrays.stream(types).flatMap(StableApiTest::enginesNamedBy);
  }

  private static Stream<String> enginesIn(TypeVariable<?>[] variables) {
    return Arrays.stream(variables).flatMap(variable -> boundsOf(variable));
  }

  private static Stream<String> enginesIn(Annotation[] annotations) {
    return Arrays.stream(annotations).flatMap(it -> enginesNamedBy(it.annotationType()));
  }

  private static Stream<String> boundsOf(TypeVariable<?> variable) {
    return Arrays.stream(variable.getBounds()).flatMap(StableApiTest::enginesNamedBy);
  }

  /** Variables are looked at where they are declared, so that none leads back to itself. */
  private static Stream<String> enginesNamedBy(Type type) {
    return switch (type) {
      case Class<?> plain when plain.isArray() -> enginesNamedBy(plain.getComponentType());
      case Class<?> plain ->
          isOfAnEngine(plain.getPackageName()) ? Stream.of(plain.getName()) : Stream.empty();
      case ParameterizedType generic ->
          Stream.concat(
              enginesNamedBy(generic.getRawType()), enginesIn(generic.getActualTypeArguments()));
      case GenericArrayType array -> enginesNamedBy(array.getGenericComponentType());
      case WildcardType wildcard ->
          Stream.concat(enginesIn(wildcard.getUpperBounds()), enginesIn(wildcard.getLowerBounds()));
      default -> Stream.empty();
    };
  }

  private static boolean isOfAnEngine(String packageName) {
    return packageName.startsWith("dev.gannet.")
        && !STABLE.contains(packageName)
        && !packageName.startsWith("dev.gannet.conformance");
  }
}
