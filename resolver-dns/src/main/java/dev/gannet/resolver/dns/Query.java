package dev.gannet.resolver.dns;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.AddressedEnvelope;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DefaultDnsRecordDecoder;
import io.netty.handler.codec.dns.DnsRawRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverTimeoutException;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Asks one server after the other for the records of one name and type, until one knows. A server
 * that does not answer in time is asked once more, after the others; one that refuses is not.
 * CNAMEs are followed, within an answer and by further queries. Runs on the look-ups' thread.
 */
final class Query {
  private static final int MAX_CNAMES = 8;

  private final DnsNameResolver netty;
  private final List<InetSocketAddress> servers;
  private final DnsRecordType type;
  private final Consumer<Reply> then;

  /** Whom to ask next, and again those who were late. */
  private final Queue<InetSocketAddress> next = new ArrayDeque<>();

  private final Set<InetSocketAddress> late = new HashSet<>();
  private final Map<InetSocketAddress, String> complaints = new LinkedHashMap<>();
  private final Set<String> names = new HashSet<>();
  private Reply.Servers answering = Reply.Servers.SILENT;
  private long ttlSeconds = Long.MAX_VALUE;
  private boolean over;

  Query(
      DnsNameResolver netty,
      List<InetSocketAddress> servers,
      DnsRecordType type,
      Consumer<Reply> then) {
    this.netty = netty;
    this.servers = servers;
    this.type = type;
    this.then = then;
  }

  /** A server's text in messages. */
  static String nameOf(InetSocketAddress server) {
    String host = server.getAddress().getHostAddress();
    return "DNS server "
        + (host.indexOf(':') < 0 ? host : "[" + host + "]")
        + ":"
        + server.getPort();
  }

  /** Begins, or follows a CNAME. */
  void ask(String name) {
    names.add(name);
    next.clear();
    next.addAll(servers);
    late.clear();
    answering = Reply.Servers.SILENT;
    askNext(name);
  }

  /** Its answer is of no use any more. */
  void cancel() {
    over = true;
  }

  /** What the servers said that did not know; empty if none has said anything. */
  String complaints() {
    return String.join("; ", complaints.values());
  }

  private void askNext(String name) {
    InetSocketAddress server = next.poll();
    if (server == null) {
      end(new Reply.Unknown(complaints(), answering));
      return;
    }
    try {
      netty
          .query(server, new DefaultDnsQuestion(name + ".", type))
          .addListener((Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> it) ->
              onEnd(name, server, it));
    } catch (RuntimeException e) {
      complain(server, "cannot be asked: " + textOf(e));
      askNext(name);
    }
  }

  private void end(Reply reply) {
    if (!over) {
      over = true;
      then.accept(reply);
    }
  }

  private void complain(InetSocketAddress server, String what) {
    complaints.put(server, nameOf(server) + " " + what);
  }

  private static String textOf(Throwable thrown) {
    Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }

  private void onEnd(
      String name,
      InetSocketAddress server,
      Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> answer) {
    if (answer.isSuccess()) {
      try (Owned owned = new Owned(answer.getNow())) {
        if (!over) {
          onAnswer(name, server, owned.response());
        }
      }
    } else if (!over) {
      onNoAnswer(server, answer.cause());
      askNext(name);
    }
  }

  /** Buffers that go back when they have been read. */
  private record Owned(AddressedEnvelope<DnsResponse, InetSocketAddress> envelope)
      implements AutoCloseable {
    DnsResponse response() {
      return envelope.content();
    }

    @Override
    public void close() {
      envelope.release();
    }
  }

  private void onNoAnswer(InetSocketAddress server, Throwable cause) {
    if (!(cause instanceof DnsNameResolverTimeoutException)) {
      complain(server, "cannot be asked: " + textOf(cause));
      return;
    }
    boolean first = late.add(server);
    if (first) {
      next.add(server);
    }
    complain(
        server,
        "did not answer in " + netty.queryTimeoutMillis() + " ms" + (first ? "" : ", asked twice"));
  }

  private void onAnswer(String name, InetSocketAddress server, DnsResponse response) {
    answering = Reply.Servers.ANSWERED;
    DnsResponseCode code = response.code();
    if (code.equals(DnsResponseCode.NXDOMAIN)) {
      end(new Reply.None(server, Reply.NoRecords.NO_NAME));
    } else if (!code.equals(DnsResponseCode.NOERROR)) {
      complain(server, "answered " + code.toString().toUpperCase(Locale.ROOT));
      askNext(name);
    } else if (response.isTruncated()) {
      complain(server, "truncated its answer, and TCP gave no complete one");
      askNext(name);
    } else {
      try {
        read(name, server, response);
      } catch (CorruptedFrameException | IndexOutOfBoundsException e) {
        complain(server, "gave a malformed answer: " + textOf(e));
        askNext(name);
      }
    }
  }

  private void read(String asked, InetSocketAddress server, DnsResponse response) {
    String name = asked;
    Optional<DnsRecord> cname = find(response, name, DnsRecordType.CNAME);
    while (cname.isPresent()) {
      ttlSeconds = Math.min(ttlSeconds, cname.get().timeToLive());
      name = target(cname.get());
      Optional<String> fault = follow(name);
      if (fault.isPresent()) {
        end(new Reply.Unknown(nameOf(server) + " " + fault.get(), answering));
        return;
      }
      cname = find(response, name, DnsRecordType.CNAME);
    }
    List<byte[]> data = new ArrayList<>();
    for (int i = 0; i < response.count(DnsSection.ANSWER); i++) {
      DnsRecord each = response.recordAt(DnsSection.ANSWER, i);
      if (isOf(each, name, type) && each instanceof DnsRawRecord raw) {
        ttlSeconds = Math.min(ttlSeconds, each.timeToLive());
        data.add(ByteBufUtil.getBytes(raw.content()));
      }
    }
    if (!data.isEmpty()) {
      end(new Reply.Records(data, ttlSeconds));
    } else if (name.equals(asked) || hasSoa(response)) {
      end(new Reply.None(server, Reply.NoRecords.NO_DATA)); // RFC 2308 §2.2
    } else {
      ask(name);
    }
  }

  /** Whether the server says that it has given all that there is. */
  private static boolean hasSoa(DnsResponse response) {
    for (int i = 0; i < response.count(DnsSection.AUTHORITY); i++) {
      if (response.recordAt(DnsSection.AUTHORITY, i).type().equals(DnsRecordType.SOA)) {
        return true;
      }
    }
    return false;
  }

  /** What is wrong with being led to that name. */
  private Optional<String> follow(String name) {
    if (!names.add(name)) {
      return Optional.of("returned a CNAME loop back to " + name);
    }
    return names.size() > MAX_CNAMES + 1
        ? Optional.of("has more than " + MAX_CNAMES + " CNAME records in a row, up to " + name)
        : Optional.empty();
  }

  private static String target(DnsRecord cname) {
    if (cname instanceof DnsRawRecord raw) {
      return withoutDot(DefaultDnsRecordDecoder.decodeName(raw.content().duplicate()));
    }
    throw new CorruptedFrameException("a CNAME without a name");
  }

  private static Optional<DnsRecord> find(DnsResponse response, String name, DnsRecordType type) {
    for (int i = 0; i < response.count(DnsSection.ANSWER); i++) {
      DnsRecord each = response.recordAt(DnsSection.ANSWER, i);
      if (isOf(each, name, type)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  private static boolean isOf(DnsRecord record, String name, DnsRecordType type) {
    return record.type().equals(type) && withoutDot(record.name()).equals(name);
  }

  private static String withoutDot(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
