plugins {
    application
    id("com.google.protobuf") version "0.9.5"
}

val gannet = "0.1.0-SNAPSHOT"
val protobuf = "4.36.2"

repositories {
    mavenLocal() // until there is a release: see README.md
    mavenCentral()
}

dependencies {
    implementation(platform("dev.gannet:gannet-bom:$gannet"))
    implementation("dev.gannet:gannet")
}

java {
    toolchain { languageVersion = JavaLanguageVersion.of(21) }
}

protobuf {
    protoc { artifact = "com.google.protobuf:protoc:$protobuf" }
    plugins {
        // A jar: the protobuf plug-in writes a script around it that protoc can run.
        create("gannet") { artifact = "dev.gannet:gannet-codegen:$gannet:exec@jar" }
    }
    generateProtoTasks {
        all().configureEach {
            plugins {
                create("gannet") { option("styles=blocking,async") }
            }
        }
    }
}

application { mainClass = "hello.Main" }
