package dev.gannet.codegen;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Stands in for protoc: asks the plug-in as protoc does, about files that protoc has read. */
final class Protoc {
  /** Where the build had protoc put what it made of the files in {@code src/test/protobuf}. */
  static final Path OUTPUT = Path.of(System.getProperty("gannet.protoc.output"));

  /** The option that chooses all styles. */
  static final String ALL_STYLES =
      Arrays.stream(Style.values())
          .map(style -> style.name().toLowerCase(Locale.ROOT))
          .collect(Collectors.joining(",", "styles=", ""));

  private Protoc() {}

  /** Everything that protoc knows: each file behind its imports. */
  static FileDescriptorSet files() {
    try {
      return FileDescriptorSet.parseFrom(Files.readAllBytes(OUTPUT.resolve("files.desc")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of the files to generate code for; the rest are imports. */
  static List<String> ownFiles() {
    return files().getFileList().stream()
        .map(FileDescriptorProto::getName)
        .filter(name -> !name.startsWith("google/"))
        .toList();
  }

  /** Asks for the given files of {@code src/test/protobuf}. */
  static CodeGeneratorResponse generate(String... names) {
    return generateWith("", names);
  }

  /** Asks for the given files with the plug-in's options. */
  static CodeGeneratorResponse generateWith(String options, String... names) {
    return ask(
        CodeGeneratorRequest.newBuilder()
            .setParameter(options)
            .addAllProtoFile(files().getFileList())
            .addAllFileToGenerate(Arrays.asList(names))
            .build());
  }

  /** The text of a generated class. */
  static String source(CodeGeneratorResponse response, String path) {
    return response.getFileList().stream()
        .filter(file -> file.getName().equals(path))
        .map(CodeGeneratorResponse.File::getContent)
        .findFirst()
        .orElseThrow();
  }

  static CodeGeneratorResponse ask(CodeGeneratorRequest request) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      Main.run(new ByteArrayInputStream(request.toByteArray()), out);
      return CodeGeneratorResponse.parseFrom(out.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
