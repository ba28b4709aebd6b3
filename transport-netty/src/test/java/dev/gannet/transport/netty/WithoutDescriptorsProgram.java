package dev.gannet.transport.netty;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a call, opens files until there are no more descriptors, makes a call on a new channel, and
 * says how that ended.
 */
final class WithoutDescriptorsProgram {
  private WithoutDescriptorsProgram() {}

  public static void main(String[] arguments) throws Exception {
    int port = Integer.getInteger("port");
    try (ManagedChannel channel = connect(port)) {
      readAllClasses(port);
      List<FileInputStream> files = openAllFiles();
      Status status = call(channel);
      for (FileInputStream file : files) {
        file.close();
      }
      System.out.println("the call ended with " + status);
    }
  }

  /** What comes behind this would want descriptors for files of classes, too. */
  private static void readAllClasses(int port) throws Exception {
    try (ManagedChannel good = connect(port);
        ManagedChannel bad = connect(1)) {
      call(good);
      call(bad);
    }
  }

  private static List<FileInputStream> openAllFiles() {
    List<FileInputStream> files = new ArrayList<>();
    try {
      while (true) {
        files.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException e) {
      System.out.println("opened " + files.size() + " files: " + e.getMessage());
    }
    return files;
  }

  private static ManagedChannel connect(int port) {
    return ManagedChannel.builder(InetAddress.getLoopbackAddress().getHostAddress(), port)
        .plaintext()
        .build();
  }

  private static Status call(ManagedChannel channel) throws Exception {
    Caller caller = Caller.begin(channel, EchoService.UNARY, new byte[1]);
    caller.halfClose();
    return caller.status();
  }
}
