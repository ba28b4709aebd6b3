package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A process that has no file descriptor left says so, once a minute, and how to change that. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
final class FewDescriptorsTest {
  private static final int LIMIT = 200;
  private static final List<String> FEW =
      List.of("sh", "-c", "ulimit -n " + LIMIT + " && exec \"$@\"", "sh");
  private static final byte[] MESSAGE = {1, 2, 3};

  /** So many failed tries of a server, one a second, in which it logs one line. */
  private static final int TRIES = 3;

  @Test
  void serverThatCanAcceptNoMoreSaysWhyAndCounts() throws Exception {
    try (ChildProgram server = ChildProgram.start(FEW, List.of(), EchoProgram.class)) {
      int port = Integer.parseInt(server.await("listening on port (\\d+)").group(1));
      List<Socket> sockets = new ArrayList<>();
      try (ManagedChannel early = connect(port)) {
        for (int i = 0; i < LIMIT; i++) {
          sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }
        Matcher said =
            server.await(
                "cannot accept connections on 127.0.0.1:"
                    + port
                    + ", trying again every second: too many open files \\(limit 200, (\\d+)"
                    + " connections open\\); raise the limit of open files \\(ulimit -n\\) or set"
                    + " maxConnections");
        assertThat(Integer.parseInt(said.group(1))).isBetween(LIMIT / 4, LIMIT);
        long failures = 0;
        while (failures < TRIES) {
          server.tell("count");
          failures = Long.parseLong(server.await("accept failures (\\d+)").group(1));
        }
        assertThat(server.all().lines().filter(line -> line.contains("cannot accept"))).hasSize(1);
        close(sockets);
        assertThat(Caller.call(early, MESSAGE).isOk()).isTrue();
      } finally {
        close(sockets);
      }
    }
  }

  @Test
  void callsOfAClientThatCanOpenNoMoreConnectionsSayWhy() throws Exception {
    try (Server server =
            Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .add(EchoService.definition())
                .start();
        ChildProgram client =
            ChildProgram.start(
                FEW, List.of("-Dport=" + server.port()), WithoutDescriptorsProgram.class)) {
      assertThat(client.await("the call ended with (.*)").group(1))
          .startsWith("UNAVAILABLE")
          .contains(
              "too many open files (limit 200); raise the limit of open files (ulimit -n) or use"
                  + " fewer connections");
    }
  }

  private static ManagedChannel connect(int port) {
    return ManagedChannel.builder(InetAddress.getLoopbackAddress().getHostAddress(), port)
        .plaintext()
        .build();
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
