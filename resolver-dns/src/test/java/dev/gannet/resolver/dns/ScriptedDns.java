package dev.gannet.resolver.dns;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A DNS server of a test's own, on loopback: UDP, and TCP on the same port. What it was not told
 * of, it has no name for.
 */
final class ScriptedDns implements AutoCloseable {
  private static final int TRIES = 20;

  private final DatagramSocket udp;
  private final ServerSocket tcp;
  private final int port;
  private final Map<String, Dns.Answer> answers = new ConcurrentHashMap<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile boolean silent;
  private volatile boolean slow;

  private ScriptedDns(DatagramSocket udp, ServerSocket tcp) {
    this.udp = udp;
    this.tcp = tcp;
    this.port = udp.getLocalPort();
  }

  static ScriptedDns start() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    for (int i = 0; i < TRIES; i++) {
      DatagramSocket udp = new DatagramSocket(new InetSocketAddress(loopback, 0));
      try {
        ScriptedDns server =
            new ScriptedDns(udp, new ServerSocket(udp.getLocalPort(), 50, loopback));
        Thread.ofVirtual().start(server::serveUdp);
        Thread.ofVirtual().start(server::serveTcp);
        return server;
      } catch (IOException e) { // somebody has that port of TCP
        udp.close();
      }
    }
    throw new IOException("no port is free for UDP and TCP");
  }

  int port() {
    return port;
  }

  /** From now on the name has those addresses, and none of the other family. */
  ScriptedDns name(String name, long ttl, String... addresses) {
    for (int type : List.of(Dns.A, Dns.AAAA)) {
      answer(
          name,
          type,
          Dns.Answer.of(
              List.of(addresses).stream()
                  .map(it -> Dns.address(name, ttl, it))
                  .filter(it -> it.type() == type)
                  .toArray(Dns.Entry[]::new)));
    }
    return this;
  }

  ScriptedDns answer(String name, int type, Dns.Answer answer) {
    answers.put(Dns.Question.key(name, type), answer);
    return this;
  }

  /** Both families. */
  ScriptedDns answer(String name, Dns.Answer answer) {
    return answer(name, Dns.A, answer).answer(name, Dns.AAAA, answer);
  }

  ScriptedDns silent(boolean is) {
    silent = is;
    return this;
  }

  /** From now on each question has to be asked twice. */
  ScriptedDns slow() {
    slow = true;
    return this;
  }

  /** Name and type of each query, in order; TCP's begin with "tcp ". */
  List<String> asked() {
    return List.copyOf(asked);
  }

  long askedFor(String name, int type) {
    return asked.stream().filter(Dns.Question.key(name, type)::equals).count();
  }

  private Dns.Answer answerTo(Dns.Question question) {
    return answers.getOrDefault(question.key(), Dns.Answer.code(Dns.NXDOMAIN));
  }

  private void serveUdp() {
    byte[] buffer = new byte[4096];
    while (!udp.isClosed()) {
      DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
      try {
        udp.receive(packet);
        Dns.Question question =
            Dns.Question.of(Arrays.copyOf(packet.getData(), packet.getLength()));
        asked.add(question.key());
        boolean again = askedFor(question.name(), question.type()) % 2 == 0;
        if (!silent && (again || !slow)) {
          byte[] answer = answerTo(question).toUdp(question);
          udp.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
        }
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serveTcp() {
    while (!tcp.isClosed()) {
      try {
        Socket socket = tcp.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket socket) {
    try (socket;
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
      Dns.Question question = Dns.Question.of(in.readNBytes(in.readUnsignedShort()));
      asked.add("tcp " + question.key());
      byte[] answer = answerTo(question).toTcp(question);
      out.writeShort(answer.length);
      out.write(answer);
      out.flush();
      in.read(); // until the client closes
    } catch (IOException e) {
      return; // the client has gone
    }
  }

  /** UDP stays. */
  void closeTcp() throws IOException {
    tcp.close();
  }

  @Override
  public void close() throws IOException {
    udp.close();
    tcp.close();
  }
}
