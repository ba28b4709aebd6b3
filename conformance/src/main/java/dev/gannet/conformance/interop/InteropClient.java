package dev.gannet.conformance.interop;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.StatusException;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.serviceconfig.ServiceConfigs;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command that runs cases of the interop tests against a server, each over its own channel.
 * Exits with 0 if all passed, 1 if one failed, 2 if there is no such case or an option is invalid.
 */
@Command(
    name = "interop-client",
    mixinStandardHelpOptions = true,
    description = "The client of gRPC's interop tests.")
public final class InteropClient implements Callable<Integer> {
  private static final String ALL = "all";
  private static final String ORCA_CASES = "orca_";
  private static final int FAILED = 1;
  private static final int NO_SUCH_CASE = 2;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--server_host",
      defaultValue = "localhost",
      description = "The server's host. Default: localhost.")
  private String serverHost = "";

  @Option(
      names = "--server_port",
      defaultValue = "8080",
      description = "The server's port. Default: 8080.")
  private int serverPort;

  @Option(
      names = "--server_host_override",
      description = "The name that the server's certificate must have, if not its host's.")
  private @Nullable String serverHostOverride;

  @Option(
      names = "--test_case",
      required = true,
      split = ",",
      description = "The case to run, or several separated by commas; 'all' runs every case.")
  private List<String> testCases = List.of();

  @Option(
      names = "--list",
      help = true,
      description = "Prints the names of all cases, and runs none.")
  private boolean list;

  @Option(
      names = "--use_tls",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      description = "TLS (true) or none (false, default).")
  private boolean useTls;

  @Option(
      names = "--use_test_ca",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      description =
          "Trust the interop tests' own signer (true) or those that the JVM trusts (false,"
              + " default).")
  private boolean useTestCa;

  @Option(
      names = "--service_config_json",
      paramLabel = "JSON",
      description =
          "The channel's service config, for example with a load-balancing policy. The ORCA"
              + " cases use the policy "
              + BackendMetrics.POLICY_NAME
              + ", and have it by default.")
  private @Nullable String serviceConfigJson;

  @Option(
      names = "--style",
      defaultValue = "blocking",
      description =
          "The generated client that makes the calls: blocking (default), async or observer."
              + " The cases of soaks and of ORCA are always blocking.")
  private ClientStyle style = ClientStyle.BLOCKING;

  @Mixin private SoakOptions soak = new SoakOptions();

  /** A command whose options are still to be read. */
  public InteropClient() {}

  @Override
  public Integer call() throws IOException {
    if (list) {
      InteropCases.names().forEach(spec.commandLine().getOut()::println);
      return 0;
    }
    PrintWriter err = spec.commandLine().getErr();
    List<String> names = testCases.contains(ALL) ? InteropCases.names() : testCases;
    for (String name : names) {
      if (InteropCases.named(name).isEmpty()) {
        err.println("no such case: " + name);
        err.println("cases: " + String.join(" ", InteropCases.names()));
        return NO_SUCH_CASE;
      }
    }
    if (!soak.fault().isEmpty()) {
      err.println(soak.fault());
      return NO_SUCH_CASE;
    }
    try {
      config(new BackendMetrics());
    } catch (IllegalArgumentException e) {
      err.println("--service_config_json: " + e.getMessage());
      return NO_SUCH_CASE;
    }
    int failed = 0;
    for (String name : names) {
      failed += passes(name) ? 0 : 1;
    }
    return failed == 0 ? 0 : FAILED;
  }

  /** Whatever a case throws is its result; the next case runs in any case. */
  private boolean passes(String name) throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    InteropCase test = InteropCases.named(name).orElseThrow();
    BackendMetrics metrics = new BackendMetrics();
    try (ManagedChannel channel = channel(name, metrics)) {
      test.run(channel, new OfThisRun(name, metrics));
      spec.commandLine().getOut().println(name + ": passed");
      return true;
    } catch (Mismatch e) {
      err.println(name + ": FAILED: " + e.getMessage());
      return false;
    } catch (StatusException e) {
      err.println(name + ": FAILED: the call ended with " + e.status());
      return false;
    } catch (Exception e) {
      err.println(name + ": FAILED: " + e);
      e.printStackTrace(err);
      return false;
    }
  }

  /** The settings that cases take from this command. */
  private final class OfThisRun implements InteropCases.Setting {
    private final String name;
    private final BackendMetrics metrics;

    OfThisRun(String name, BackendMetrics metrics) {
      this.name = name;
      this.metrics = metrics;
    }

    @Override
    public SoakRun newSoak() {
      CommandLine line = spec.commandLine();
      return new SoakRun(soak, line.getOut(), line.getErr());
    }

    @Override
    public ManagedChannel newChannel() throws IOException {
      return channel(name, metrics);
    }

    @Override
    public ClientStyle style() {
      return style;
    }

    @Override
    public BackendMetrics metrics() {
      return metrics;
    }
  }

  private ManagedChannel channel(String testCase, BackendMetrics metrics) throws IOException {
    ManagedChannelBuilder builder =
        ManagedChannel.builder(serverHost, serverPort)
            .maxInboundMessageBytes(Payloads.MAX_MESSAGE_BYTES)
            .credentials(credentials());
    Optional.ofNullable(serverHostOverride).ifPresent(builder::overrideAuthority);
    Optional<ServiceConfig> config = config(metrics);
    if (config.isPresent()) {
      builder.defaultServiceConfig(config.get()).disableServiceConfigLookUp();
    } else if (testCase.startsWith(ORCA_CASES)) {
      builder.loadBalancer(metrics);
    }
    return builder.build();
  }

  private Optional<ServiceConfig> config(BackendMetrics metrics) {
    return Optional.ofNullable(serviceConfigJson)
        .map(it -> ServiceConfigs.parse(it, List.of(metrics)));
  }

  private ChannelCredentials credentials() throws IOException {
    if (!useTls) {
      return ChannelCredentials.insecure();
    }
    return useTestCa ? TestCredentials.ofClient() : ChannelCredentials.tls();
  }
}
