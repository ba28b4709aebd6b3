package dev.gannet.testing;

import dev.gannet.api.BindableService;
import dev.gannet.api.Preview;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A {@link Testbed} for each test of a JUnit class:
 *
 * <pre>{@code
 * @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();
 *
 *
 * @Test
 * void greetsByName() {
 *   GreeterClient greeter = GreeterClient.of(gannet.channelTo(new MyGreeter()));
 *   assertEquals("Hello Ada", greeter.sayHello(ada).getMessage());
 * }
 * }</pre>
 *
 * <p>After a test and its {@code @AfterEach} methods everything is closed, and what was left open
 * fails the test. A failing test publishes the {@linkplain Testbed#transcript transcript} of its
 * calls as a report entry. The field must not be static. Needs JUnit 5.13 or later, as {@code
 * junit-jupiter-api} on the test's class path.
 */
public final class GannetExtension implements BeforeEachCallback, AfterEachCallback {
  private enum Kind {
    PROCESS,
    VIRTUAL_TIME,
    LOOPBACK
  }

  private final Kind kind;
  private @Nullable Testbed testbed;
  private @Nullable VirtualClock clock;

  private GannetExtension(Kind kind) {
    this.kind = kind;
  }

  /** In-process servers for each test. */
  public static GannetExtension inProcess() {
    return new GannetExtension(Kind.PROCESS);
  }

  /** In-process servers for each test, with a {@link #clock} of its own. */
  public static GannetExtension inVirtualTime() {
    return new GannetExtension(Kind.VIRTUAL_TIME);
  }

  /** Servers on free ports of the loopback interface for each test. */
  public static GannetExtension onLoopback() {
    return new GannetExtension(Kind.LOOPBACK);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    VirtualClock made = VirtualClock.create();
    clock = made;
    testbed =
        switch (kind) {
          case PROCESS -> Testbed.inProcess();
          case VIRTUAL_TIME -> Testbed.inProcess(made);
          case LOOPBACK -> Testbed.onLoopback();
        };
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Testbed used = testbed;
    if (used == null) {
      return; // another extension failed before this one began
    }
    testbed = null;
    Optional<Throwable> failure = context.getExecutionException();
    try {
      used.close();
    } catch (AssertionError e) {
      failure = Optional.of(e);
      throw e;
    } finally {
      if (failure.isPresent()) {
        publish(context, "transcript", used.transcript().toString());
        publish(context, "networks", used.settings());
      }
    }
  }

  private static void publish(ExtensionContext context, String name, String text) {
    if (!text.isBlank()) {
      context.publishReportEntry(name, text);
    }
  }

  /**
   * The test bed of the current test.
   *
   * @throws IllegalStateException if no test is running: the field is static, or was not registered
   */
  public Testbed testbed() {
    Testbed current = testbed;
    if (current == null) {
      throw new IllegalStateException(
          "no test is running: register GannetExtension with @RegisterExtension in a field that is"
              + " not static, and use it in @BeforeEach and @Test methods");
    }
    return current;
  }

  /**
   * The clock of the current test.
   *
   * @throws IllegalStateException if tests use the system clock
   */
  public VirtualClock clock() {
    VirtualClock current = clock;
    if (kind != Kind.VIRTUAL_TIME || current == null) {
      throw new IllegalStateException(
          "these tests use the system clock: use GannetExtension.inVirtualTime()");
    }
    return current;
  }

  /** As {@link Testbed#serve(BindableService...)}. */
  public Server serve(BindableService... services) {
    return testbed().serve(services);
  }

  /** As {@link Testbed#serve(UnaryOperator)}. */
  public Server serve(UnaryOperator<ServerBuilder> options) {
    return testbed().serve(options);
  }

  /** As {@link Testbed#channelTo(BindableService...)}. */
  public ManagedChannel channelTo(BindableService... services) {
    return testbed().channelTo(services);
  }

  /** As {@link Testbed#channelTo(Server)}. */
  public ManagedChannel channelTo(Server server) {
    return testbed().channelTo(server);
  }

  /** As {@link Testbed#channelTo(Server, UnaryOperator)}. */
  public ManagedChannel channelTo(Server server, UnaryOperator<ManagedChannelBuilder> options) {
    return testbed().channelTo(server, options);
  }

  /** As {@link Testbed#channelTo(SocketAddress)}. */
  public ManagedChannel channelTo(SocketAddress address) {
    return testbed().channelTo(address);
  }

  /** As {@link Testbed#channelTo(SocketAddress, UnaryOperator)}. */
  public ManagedChannel channelTo(
      SocketAddress address, UnaryOperator<ManagedChannelBuilder> options) {
    return testbed().channelTo(address, options);
  }

  /** As {@link Testbed#fake}. */
  public FakeServer fake(BindableService service) {
    return testbed().fake(service);
  }

  /** As {@link Testbed#networkTo(Server, long)}. */
  @Preview(until = "0.3")
  public FaultyNetwork networkTo(Server server, long seed) {
    return testbed().networkTo(server, seed);
  }

  /** As {@link Testbed#networkTo(SocketAddress, long)}. */
  @Preview(until = "0.3")
  public FaultyNetwork networkTo(SocketAddress address, long seed) {
    return testbed().networkTo(address, seed);
  }

  /** As {@link Testbed#transcript}. */
  public Transcript transcript() {
    return testbed().transcript();
  }
}
