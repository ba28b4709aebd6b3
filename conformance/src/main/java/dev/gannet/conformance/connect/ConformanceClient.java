package dev.gannet.conformance.connect;

import connectrpc.conformance.v1.ClientCompat.ClientCompatRequest;
import connectrpc.conformance.v1.ClientCompat.ClientCompatResponse;
import connectrpc.conformance.v1.ClientCompat.ClientErrorResult;
import dev.gannet.client.ManagedChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command that makes the calls requested on its standard input, each over its own channel, and
 * writes the result of each to its standard output, in any order. Ends with the input.
 */
@Command(
    name = "conformance-client",
    mixinStandardHelpOptions = true,
    description = "The client under test of the connectrpc conformance suite, which starts it.")
public final class ConformanceClient implements Callable<Integer> {
  @Option(
      names = "--parallel",
      defaultValue = "4",
      description = "The number of concurrent calls. Default: 4.")
  private int parallel;

  /** A command whose options are still to be read. */
  public ConformanceClient() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    SuitePipe suite = SuitePipe.overStandardStreams();
    WarmUp.inTheClear();
    WarmUp.withTls();
    Semaphore free = new Semaphore(parallel);
    try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
      Optional<ClientCompatRequest> next = suite.read(ClientCompatRequest.parser());
      while (next.isPresent()) {
        ClientCompatRequest wanted = next.get();
        free.acquire();
        calls.execute(() -> answer(suite, wanted, free));
        next = suite.read(ClientCompatRequest.parser());
      }
    }
    return 0;
  }

  private static void answer(SuitePipe suite, ClientCompatRequest wanted, Semaphore free) {
    try {
      suite.write(perform(wanted));
    } catch (IOException e) {
      throw new UncheckedIOException("the suite takes no more answers", e);
    } finally {
      free.release();
    }
  }

  /** A failure to start the call is a result, too. */
  static ClientCompatResponse perform(ClientCompatRequest wanted) {
    ClientCompatResponse.Builder answer =
        ClientCompatResponse.newBuilder().setTestName(wanted.getTestName());
    try (ManagedChannel channel = SuiteChannel.open(wanted)) {
      answer.setResponse(new SuiteCall(wanted, channel).perform());
    } catch (IOException | RuntimeException e) {
      answer.setError(ClientErrorResult.newBuilder().setMessage(e.toString()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer.setError(ClientErrorResult.newBuilder().setMessage("interrupted"));
    }
    return answer.build();
  }
}
