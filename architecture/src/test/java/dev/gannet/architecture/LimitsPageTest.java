package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.RepeatableClientCall;
import dev.gannet.api.transport.EventLoops;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.api.transport.SocketOptions;
import dev.gannet.api.transport.TransportLimits;
import dev.gannet.api.transport.WorkBudget;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.http2.AbuseKind;
import dev.gannet.server.ServerBuilder;
import dev.gannet.services.OrcaService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The page of limits names each limit that there is, and how users change it. */
final class LimitsPageTest {
  private static final Path PAGE = Path.of("../docs/limits.md");

  /** The last cells of rows that name no method of ours. */
  private static final Set<String> NOT_OURS = Set.of("fixed", "the server's limit");

  /** Methods of modules whose libraries are not on this class path. */
  private static final Set<String> OF_SMALL_MODULES = Set.of("withMaxViolations");

  /** Protected methods of base classes, which applications override. */
  private static final Set<String> OVERRIDABLE =
      Arrays.stream(RepeatableClientCall.class.getDeclaredMethods())
          .filter(method -> Modifier.isProtected(method.getModifiers()))
          .map(Method::getName)
          .collect(Collectors.toSet());

  private static final Pattern METHOD = Pattern.compile("`([a-z]\\w*)`");

  private static final Pattern CONSTRUCTOR = Pattern.compile("`new (\\w+)\\(.*\\)`");

  /** Services whose limits are given to their constructors. */
  private static final List<Class<?>> SERVICES = List.of(OrcaService.class);

  private static final List<Class<?>> BUILDERS =
      List.of(ServerBuilder.class, ManagedChannelBuilder.class);

  private static final List<Class<?>> OPTIONS = List.of(TransportLimits.class, SocketOptions.class);

  /** What a limit of a builder is told in. */
  private static final Set<Class<?>> KINDS_OF_LIMITS =
      Set.of(
          int.class,
          long.class,
          boolean.class,
          Duration.class,
          MemoryBudget.class,
          WorkBudget.class,
          EventLoops.class);

  /** The rows of tables that say how to change something, each as its cells. */
  static Stream<List<String>> rows() {
    return readTables().stream();
  }

  private static List<List<String>> readTables() {
    try {
      List<String> lines = Files.readAllLines(PAGE);
      return lines.stream()
          .filter(line -> line.startsWith("| "))
          .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).toList())
          .map(cells -> cells.subList(1, cells.size()))
          .filter(LimitsPageTest::isOfATableOfChanges)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Offences have numbers in the third column, and one way to change them all. */
  private static boolean isOfATableOfChanges(List<String> cells) {
    return cells.size() == 4
        && !cells.getLast().equals("to change it")
        && !cells.getLast().equals("what it is")
        && Arrays.stream(AbuseKind.values()).noneMatch(it -> cells.getFirst().contains(it.name()));
  }

  private static Set<String> methodsIn(String cell) {
    return METHOD.matcher(cell).results().map(it -> it.group(1)).collect(Collectors.toSet());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void everyLimitThatIsNotFixedNamesMethodsThatThereAre(List<String> cells) {
    String change = cells.getLast();
    if (NOT_OURS.contains(change)) {
      return;
    }
    Matcher constructor = CONSTRUCTOR.matcher(change);
    if (constructor.matches()) {
      assertThat(SERVICES)
          .as(cells.getFirst())
          .extracting(Class::getSimpleName)
          .contains(constructor.group(1));
      return;
    }
    Set<String> existing =
        Stream.of(BUILDERS, OPTIONS, List.of(CallOptions.class))
            .flatMap(List::stream)
            .flatMap(type -> Arrays.stream(((Class<?>) type).getMethods()))
            .map(Method::getName)
            .collect(Collectors.toSet());
    existing.addAll(OF_SMALL_MODULES);
    existing.addAll(OVERRIDABLE);
    assertThat(methodsIn(change)).as(cells.getFirst()).isNotEmpty().isSubsetOf(existing);
  }

  static Stream<String> methodsThatChangeLimits() {
    Stream<Method> ofOptions =
        OPTIONS.stream()
            .flatMap(type -> Arrays.stream(type.getMethods()))
            .filter(method -> method.getName().startsWith("with"));
    Stream<Method> ofBuilders =
        BUILDERS.stream()
            .flatMap(type -> Arrays.stream(type.getMethods()))
            .filter(LimitsPageTest::changesALimit);
    return Stream.concat(ofOptions, ofBuilders).map(Method::getName).distinct();
  }

  private static boolean changesALimit(Method method) {
    return method.getReturnType() == method.getDeclaringClass()
        && !Modifier.isStatic(method.getModifiers())
        && method.getParameterCount() > 0
        && KINDS_OF_LIMITS.containsAll(List.of(method.getParameterTypes()));
  }

  @ParameterizedTest
  @MethodSource("methodsThatChangeLimits")
  void everyMethodThatChangesALimitIsOnThePage(String method) throws IOException {
    Set<String> named =
        METHOD
            .matcher(Files.readString(PAGE))
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toSet());
    assertThat(named).contains("`" + method + "`");
  }

  @ParameterizedTest
  @EnumSource
  void everyFaultIsOnThePageWithWhatIsBehindIt(PeerFault fault) throws IOException {
    assertThat(Files.readString(PAGE)).contains("\n| `" + fault.name() + "` | ");
  }

  @ParameterizedTest
  @EnumSource
  void everyOffenceIsOnThePageWithItsRate(AbuseKind offence) throws IOException {
    AbuseKind.Rate rate = offence.usualRate();
    String line =
        String.format(
            Locale.ROOT, "| `%s` | %,d | %,d |", offence.name(), rate.atOnce(), rate.aMinute());
    assertThat(Files.readString(PAGE)).contains(line);
  }
}
