package dev.gannet.conformance.interop;

import dev.gannet.api.StatusException;
import dev.gannet.client.ManagedChannel;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command that runs one of gRPC's negative HTTP/2 cases against their server, which misbehaves.
 * Exits with 0 if it passed, 1 if it failed, 2 if there is no such case.
 */
@Command(
    name = "http2-client",
    mixinStandardHelpOptions = true,
    description = "The client of gRPC's negative HTTP/2 interop tests, in plaintext.")
public final class Http2Client implements Callable<Integer> {
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
      names = "--test_case",
      defaultValue = "rst_after_data",
      description = "Which case to run. Default: rst_after_data.")
  private String testCase = "";

  /** A command whose options are still to be read. */
  public Http2Client() {}

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    if (Http2Cases.named(testCase).isEmpty()) {
      err.println("no such case: " + testCase);
      err.println("cases: " + String.join(" ", Http2Cases.names()));
      return NO_SUCH_CASE;
    }
    try (ManagedChannel channel =
        ManagedChannel.builder(serverHost, serverPort).plaintext().build()) {
      Http2Cases.named(testCase).orElseThrow().run(channel);
      spec.commandLine().getOut().println(testCase + ": passed");
      return 0;
    } catch (Mismatch e) {
      err.println(testCase + ": FAILED: " + e.getMessage());
    } catch (StatusException e) {
      err.println(testCase + ": FAILED: the call ended with " + e.getMessage());
    } catch (InterruptedException e) {
      err.println(testCase + ": FAILED: interrupted");
      Thread.currentThread().interrupt();
    }
    return FAILED;
  }
}
