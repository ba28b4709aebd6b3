package dev.gannet.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks which module may import which, and what a module must not use. */
final class ArchitectureTest {
  private static final String AGGREGATE_FOLDER = "all"; // a module declaration and nothing else
  private static final String BOM_FOLDER = "bom"; // versions and nothing else
  private static final String FOLDER_OF_THESE_TESTS = "architecture";

  private static final List<String> EVERYWHERE = List.of("java", "javax", "jdk", "org.jspecify");

  private static final List<String> IMPURE_PACKAGES =
      List.of(
          "java.util.concurrent",
          "java.util.logging",
          "java.util.prefs",
          "java.net",
          "java.nio.channels",
          "java.nio.file",
          "javax.net");

  private static final Set<String> IMPURE_TYPES =
      Set.of(
          "java.lang.Thread",
          "java.lang.ThreadLocal",
          "java.lang.System$Logger",
          "java.time.Clock",
          "java.util.Random",
          "java.util.Timer",
          "java.security.SecureRandom");

  // A unit of time is a word, not a clock.
  private static final Set<String> PURE_AFTER_ALL = Set.of("java.util.concurrent.TimeUnit");

  private static final Set<String> IMPURE_METHODS =
      Set.of("nanoTime", "currentTimeMillis", "getenv", "getProperty", "exit");

  private static final Set<String> CODES_OF_APPLICATIONS =
      Set.of(
          "INVALID_ARGUMENT",
          "NOT_FOUND",
          "ALREADY_EXISTS",
          "FAILED_PRECONDITION",
          "ABORTED",
          "OUT_OF_RANGE",
          "DATA_LOSS");

  private static final Pattern BANNED_NAME =
      Pattern.compile(
          "(Default|Abstract|Base|Internal)[A-Z].*"
              + "|.*[a-z](Impl|Manager|Helper|Utils?)"
              + "|(?!.*Http2$).*[a-z]2");

  @Test
  void everyMavenModuleIsListed() {
    Set<String> planned =
        Arrays.stream(ProjectModule.values())
            .map(ProjectModule::folder)
            .collect(Collectors.toSet());
    planned.add(AGGREGATE_FOLDER);
    planned.add(BOM_FOLDER);
    planned.add(FOLDER_OF_THESE_TESTS);

    assertThat(ProjectClasses.folders()).isEqualTo(planned);
  }

  @ParameterizedTest
  @EnumSource
  void everySourceFileIsSeenByTheseChecks(ProjectModule module) {
    Set<String> seen =
        ProjectClasses.classesOf(module).stream()
            .map(JavaClass::getName)
            .collect(Collectors.toSet());

    assertThat(ProjectClasses.sourcesOf(module)).isNotEmpty().isSubsetOf(seen);
  }

  @ParameterizedTest
  @EnumSource
  void aModuleImportsOnlyWhatThePlanAllows(ProjectModule module) {
    assertThat(dependenciesOf(module).filter(it -> !isAllowed(module, it)).map(this::describe))
        .isEmpty();
  }

  @Test
  void packagesDoNotImportEachOtherInCircles() {
    slices()
        .matching("dev.gannet.(**)")
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true)
        .check(ProjectClasses.CLASSES);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP2", "PROTOCOL"})
  void aPureModuleKnowsNoClockThreadLogOrSocket(ProjectModule module) {
    assertThat(dependenciesOf(module).filter(this::isImpure).map(this::describe)).isEmpty();
    assertThat(accessesOf(module).filter(this::asksTheWorld).map(JavaAccess::getDescription))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void onlyProgramsPrint(ProjectModule module) {
    if (ProjectModule.PROGRAMS.contains(module)) {
      return;
    }
    assertThat(accessesOf(module).filter(this::prints).map(JavaAccess::getDescription)).isEmpty();
  }

  /** statuscodes.md of gRPC: these codes only come from applications. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "PROTOCOL",
        "TRANSPORT",
        "TRANSPORT_INPROCESS",
        "TRANSPORT_NETTY",
        "CLIENT",
        "SERVER"
      })
  void theLibraryNeverCreatesStatusCodesOfApplications(ProjectModule module) {
    assertThat(
            accessesOf(module)
                .filter(this::takesACodeOfApplications)
                .map(JavaAccess::getDescription))
        .isEmpty();
  }

  /**
   * Looked up through {@code ServiceLoader}: up to Java 21 in the module {@code jdk.random}, which
   * a run-time image made by {@code jlink} leaves out unless asked.
   */
  @ParameterizedTest
  @EnumSource
  void noRandomGeneratorIsUsedThatAnImageMayLack(ProjectModule module) {
    assertThat(
            accessesOf(module)
                .filter(this::looksForARandomGenerator)
                .map(JavaAccess::getDescription))
        .isEmpty();
  }

  /**
   * Users say "never" with {@code ChronoUnit.FOREVER.getDuration()}, which {@code
   * Duration.toNanos()} cannot convert; {@code TimeUnit.NANOSECONDS.convert} can. Constants may use
   * both.
   */
  @ParameterizedTest
  @EnumSource(
      names = {
        "API",
        "HTTP2",
        "TRANSPORT",
        "TRANSPORT_INPROCESS",
        "TRANSPORT_NETTY",
        "CLIENT",
        "SERVER",
        "SERVICE_CONFIG",
        "RESOLVER_DNS",
        "SERVICES"
      })
  void durationsOfUsersAreConvertedWithoutOverflow(ProjectModule module) {
    assertThat(
            accessesOf(module).filter(this::convertsWithOverflow).map(JavaAccess::getDescription))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void everyPackageIsNullMarked(ProjectModule module) {
    Stream<JavaPackage> packages =
        ProjectClasses.writtenClassesOf(module).stream().map(JavaClass::getPackage).distinct();

    assertThat(
            packages.filter(it -> !it.isAnnotatedWith(NullMarked.class)).map(JavaPackage::getName))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void noTypeHasAMeaninglessName(ProjectModule module) {
    assertThat(ProjectClasses.writtenClassesOf(module).stream().map(JavaClass::getSimpleName))
        .noneMatch(name -> BANNED_NAME.matcher(name).matches());
  }

  private static Stream<Dependency> dependenciesOf(ProjectModule module) {
    return ProjectClasses.classesOf(module).stream()
        .flatMap(it -> it.getDirectDependenciesFromSelf().stream());
  }

  private static Stream<JavaAccess<?>> accessesOf(ProjectModule module) {
    return ProjectClasses.classesOf(module).stream()
        .flatMap(it -> it.getAccessesFromSelf().stream());
  }

  private static boolean isAllowed(ProjectModule module, Dependency dependency) {
    String target = targetOf(dependency).getPackageName();
    Optional<ProjectModule> other = ProjectModule.ofPackage(target);
    if (other.isPresent()) {
      return other.get() == module || module.mayImport().contains(other.get());
    }
    return isWithinOneOf(EVERYWHERE, target) || isWithinOneOf(module.mayUse(), target);
  }

  private boolean isImpure(Dependency dependency) {
    JavaClass target = targetOf(dependency);
    if (PURE_AFTER_ALL.contains(target.getName())) {
      return false;
    }
    return IMPURE_TYPES.contains(target.getName())
        || isWithinOneOf(IMPURE_PACKAGES, target.getPackageName());
  }

  private boolean asksTheWorld(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    String name = access.getName();
    return (owner.equals("java.lang.System") && IMPURE_METHODS.contains(name))
        || (owner.startsWith("java.time.") && name.equals("now"));
  }

  private boolean prints(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    String name = access.getName();
    return (owner.equals("java.lang.System") && (name.equals("out") || name.equals("err")))
        || name.equals("printStackTrace");
  }

  private boolean takesACodeOfApplications(JavaAccess<?> access) {
    return access.getTargetOwner().getName().equals("dev.gannet.api.Status")
        && CODES_OF_APPLICATIONS.contains(access.getName());
  }

  private boolean looksForARandomGenerator(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    return owner.startsWith("java.util.random.RandomGenerator")
        && (access.getName().equals("of") || access.getName().equals("getDefault"));
  }

  private boolean convertsWithOverflow(JavaAccess<?> access) {
    return access.getTargetOwner().getName().equals("java.time.Duration")
        && access.getName().equals("toNanos")
        && !access.getOrigin().getName().equals("<clinit>");
  }

  private String describe(Dependency dependency) {
    return dependency.getDescription();
  }

  private static JavaClass targetOf(Dependency dependency) {
    return dependency.getTargetClass().getBaseComponentType();
  }

  private static boolean isWithinOneOf(List<String> ancestors, String name) {
    return name.isEmpty() || ancestors.stream().anyMatch(it -> ProjectModule.isWithin(name, it));
  }
}
